import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { describe, expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));

/** A world with the built server in a process of its own. */
async function world(protocolVersion: string, files: Record<string, string> = {}) {
  const workspace = new Workspace(files);
  const server = spawnServer({ command: process.execPath, args: [program, workspace.root] });
  const client = await Client.connect(server.channel, { protocolVersion });
  return {
    workspace,
    client,
    at: (path: string) => join(workspace.root, path),
    subscribe: (path: string, updated: () => void) =>
      client.subscribe(pathToFileURL(join(workspace.root, path)).href, updated),
    async [Symbol.asyncDispose]() {
      await client.close();
      await server.stop();
      workspace[Symbol.dispose]();
    },
  };
}

/** Counts what comes, and waits for the next. */
class Heard {
  count = 0;
  #next = Promise.withResolvers<void>();

  readonly updated = () => {
    this.count++;
    this.#next.resolve();
    this.#next = Promise.withResolvers<void>();
  };

  /** Resolves when something has been heard of what `change` does. */
  async of(change: () => void): Promise<void> {
    const next = this.#next.promise;
    change();
    await next;
  }
}

describe.each(['2025-11-25', '2026-07-28'])('over stdio at %s, a subscription', (protocolVersion) => {
  test('to a file hears of every kind of change, again and again', async () => {
    await using here = await world(protocolVersion, { 'sub/a.txt': 'a' });
    const path = here.at('sub/a.txt');
    const heard = new Heard();
    await here.subscribe('sub/a.txt', heard.updated);
    for (let round = 0; round < 3; round++) {
      await heard.of(() => writeFileSync(path, `written ${round}`));
      await heard.of(() => appendFileSync(path, 'more'));
      await heard.of(() => {
        writeFileSync(`${path}.new`, `replaced ${round}`);
        renameSync(`${path}.new`, path);
      });
      await heard.of(() => rmSync(path));
      await heard.of(() => writeFileSync(path, 'again'));
      await heard.of(() => rmSync(dirname(path), { recursive: true }));
      await heard.of(() => {
        mkdirSync(dirname(path));
        writeFileSync(path, 'in a new directory');
      });
      await heard.of(() => renameSync(dirname(path), here.at(`away${round}`)));
      await heard.of(() => renameSync(here.at(`away${round}`), dirname(path)));
    }
    expect((await here.client.readResource(pathToFileURL(path).href)).contents).toMatchObject([
      { text: 'in a new directory' },
    ]);
  });

  test('to what does not exist, and to a directory, hears when something comes and goes', async () => {
    await using here = await world(protocolVersion);
    const [file, directory] = [new Heard(), new Heard()];
    await here.subscribe('not/yet/there.txt', file.updated);
    await here.subscribe('.', directory.updated);
    await directory.of(() => writeFileSync(here.at('other.txt'), ''));
    await file.of(() => {
      mkdirSync(here.at('not/yet'), { recursive: true });
      writeFileSync(here.at('not/yet/there.txt'), 'there');
    });
    await directory.of(() => rmSync(here.at('other.txt')));
    await file.of(() => rmSync(here.at('not'), { recursive: true }));
  });

  test('hears of a thousand writes a few times, and not at all after its end', async () => {
    await using here = await world(protocolVersion, { 'a.txt': '', 'b.txt': '' });
    const [burst, witness] = [new Heard(), new Heard()];
    const stop = await here.subscribe('a.txt', burst.updated);
    await here.subscribe('b.txt', witness.updated);
    await burst.of(() => {
      for (let count = 0; count < 1_000; count++) appendFileSync(here.at('a.txt'), 'x');
    });
    await witness.of(() => writeFileSync(here.at('b.txt'), '1'));
    expect(burst.count).toBeLessThan(20);
    await stop();
    const before = burst.count;
    writeFileSync(here.at('a.txt'), 'unheard');
    await witness.of(() => writeFileSync(here.at('b.txt'), '2'));
    expect(burst.count).toBe(before);
  });

  test('to each of 100 paths hears of its last state after 10,000 changes', async () => {
    await using here = await world(protocolVersion);
    const directories = Array.from({ length: 10 }, (_, index) => `d${index}`);
    const paths = directories.flatMap((directory) =>
      Array.from({ length: 10 }, (_, index) => `${directory}/f${index}`),
    );
    const now = (path: string) => {
      try {
        return `${statSync(here.at(path)).ino} ${readFileSync(here.at(path), 'utf8')}`;
      } catch {
        return 'nothing';
      }
    };
    const seen = new Map<string, string>();
    let noticed = Promise.withResolvers<void>();
    let updates = 0;
    await Promise.all(
      paths.map((path) =>
        here.subscribe(path, () => {
          updates++;
          seen.set(path, now(path));
          noticed.resolve();
        }),
      ),
    );
    for (const path of paths) seen.set(path, now(path));

    const random = randomNumbers(7);
    for (let count = 0; count < 10_000; count++) {
      const path = paths[random(100)]!;
      change(here.at(path), random(6), count);
      if (count % 100 === 0) await new Promise((resume) => setImmediate(resume));
    }
    const behind = () => paths.filter((path) => seen.get(path) !== now(path));
    while (behind().length > 0) {
      noticed = Promise.withResolvers<void>();
      if (behind().length > 0) await noticed.promise;
    }
    expect(behind()).toEqual([]);
    expect(updates).toBeGreaterThanOrEqual(100);
  });
});

function change(path: string, kind: number, count: number): void {
  const parent = dirname(path);
  if (kind === 5 && count % 10 === 0) {
    // The parent moves away, and is back, or a new one is there, a few changes later.
    if (!existsSync(parent)) return;
    renameSync(parent, `${parent}.away`);
    if (count % 20 === 0) renameSync(`${parent}.away`, parent);
    else rmSync(`${parent}.away`, { recursive: true });
    return;
  }
  mkdirSync(parent, { recursive: true });
  if (kind === 0) writeFileSync(path, `written ${count}`);
  else if (kind === 1) appendFileSync(path, `${count}`);
  else if (kind === 2) {
    writeFileSync(`${path}.new`, `replaced ${count}`);
    renameSync(`${path}.new`, path);
  } else if (kind === 3) rmSync(path, { force: true });
  else writeFileSync(path, `again ${count}`);
}

/** The same every time, so that what failed once fails again. */
function randomNumbers(seed: number): (relativePath: number) => number {
  let state = seed;
  return (relativePath) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * relativePath);
  };
}
