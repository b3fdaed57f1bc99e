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
import { describe, expect, test, vi } from 'vitest';
import { Workspace } from './workspace.ts';

// They change files ten thousand times.
vi.setConfig({ testTimeout: 120_000 });

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));

/** Starts the built server in a process of its own and connects a client. */
async function connectedServer(revision: string, files: Record<string, string> = {}) {
  const workspace = new Workspace(files);
  const server = spawnServer({ command: process.execPath, args: [program, workspace.root] });
  const client = await Client.connect(server.channel, { revision });
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

/** Counts notifications and waits for the next one. */
class Notifications {
  count = 0;
  #next = Promise.withResolvers<void>();

  readonly updated = () => {
    this.count++;
    this.#next.resolve();
    this.#next = Promise.withResolvers<void>();
  };

  /** Runs `change` and resolves at the next notification. */
  async after(change: () => void): Promise<void> {
    const next = this.#next.promise;
    change();
    await next;
  }
}

describe.each(['2025-11-25', '2026-07-28'])('subscriptions over stdio at %s', (revision) => {
  test('a subscription to a file is notified of every kind of change, repeatedly', async () => {
    await using here = await connectedServer(revision, { 'sub/a.txt': 'a' });
    const path = here.at('sub/a.txt');
    const notifications = new Notifications();
    await here.subscribe('sub/a.txt', notifications.updated);
    for (let round = 0; round < 3; round++) {
      await notifications.after(() => writeFileSync(path, `written ${round}`));
      await notifications.after(() => appendFileSync(path, 'more'));
      await notifications.after(() => {
        writeFileSync(`${path}.new`, `replaced ${round}`);
        renameSync(`${path}.new`, path);
      });
      await notifications.after(() => rmSync(path));
      await notifications.after(() => writeFileSync(path, 'again'));
      await notifications.after(() => rmSync(dirname(path), { recursive: true }));
      await notifications.after(() => {
        mkdirSync(dirname(path));
        writeFileSync(path, 'in a new directory');
      });
      await notifications.after(() => renameSync(dirname(path), here.at(`away${round}`)));
      await notifications.after(() => renameSync(here.at(`away${round}`), dirname(path)));
    }
    expect((await here.client.readResource(pathToFileURL(path).href)).contents).toMatchObject([
      { text: 'in a new directory' },
    ]);
  });

  test('subscriptions to a missing file and to a directory are notified of creation and deletion', async () => {
    await using here = await connectedServer(revision);
    const [file, directory] = [new Notifications(), new Notifications()];
    await here.subscribe('not/yet/there.txt', file.updated);
    await here.subscribe('.', directory.updated);
    await directory.after(() => writeFileSync(here.at('other.txt'), ''));
    await file.after(() => {
      mkdirSync(here.at('not/yet'), { recursive: true });
      writeFileSync(here.at('not/yet/there.txt'), 'there');
    });
    await directory.after(() => rmSync(here.at('other.txt')));
    await file.after(() => rmSync(here.at('not'), { recursive: true }));
  });

  test('a thousand writes cause fewer than 20 notifications, and none after the subscription ends', async () => {
    await using here = await connectedServer(revision, { 'a.txt': '', 'b.txt': '' });
    const [burst, witness] = [new Notifications(), new Notifications()];
    const stop = await here.subscribe('a.txt', burst.updated);
    await here.subscribe('b.txt', witness.updated);
    await burst.after(() => {
      for (let count = 0; count < 1_000; count++) appendFileSync(here.at('a.txt'), 'x');
    });
    await witness.after(() => writeFileSync(here.at('b.txt'), '1'));
    expect(burst.count).toBeLessThan(20);
    await stop();
    const before = burst.count;
    writeFileSync(here.at('a.txt'), 'after the end');
    await witness.after(() => writeFileSync(here.at('b.txt'), '2'));
    expect(burst.count).toBe(before);
  });

  test('subscriptions to 100 paths are notified of the last state of each after 10,000 changes', async () => {
    await using here = await connectedServer(revision);
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
    // The parent is renamed; it returns, or a later change creates a new one.
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

/** Returns a deterministic generator of integers below a limit. */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
