import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, type TestContext, vi } from 'vitest';
import { descriptorOpener } from '../src/open/descriptor-opener.ts';
import type { Sandbox } from '../src/sandbox.ts';
import { Helper, outcome } from './helper.ts';
import { flipping } from './flipping.ts';
import { openers, problem, textOf, Workspace } from './workspace.ts';

// They race with another process until each side has won.
vi.setConfig({ testTimeout: 120_000 });

describe.each(openers)('a directory swapped with a link to the outside, opened $how', ({ opener }) => {
  async function openWorkspace() {
    const workspace = new Workspace({ 'race/f.txt': 'INSIDE' });
    writeFileSync(join(workspace.outside, 'f.txt'), 'SECRET');
    symlinkSync(workspace.outside, join(workspace.root, 'race.out'));
    return { workspace, sandbox: workspace.open({ opener }) };
  }

  it('a read never returns the content of a file outside', async () => {
    const { workspace, sandbox } = await openWorkspace();
    using _ = workspace;
    await using _flipper = await flipping(workspace, 'race');
    const seen = { inside: 0, denied: 0, leaked: 0 };
    for (let reads = 0; reads < (opener === descriptorOpener ? 20_000 : 4000); reads++) {
      const text = await attempt(sandbox, 'race/f.txt');
      if (text === 'INSIDE') seen.inside++;
      else if (text === undefined) seen.denied++;
      else seen.leaked++;
    }
    expect(seen.leaked).toBe(0);
    expect(seen.inside).toBeGreaterThan(0);
    expect(seen.denied).toBeGreaterThan(0);
  });

  const onlyByDescriptor = (context: TestContext) =>
    context.skip(opener !== descriptorOpener, 'The opener by path cannot exclude this race');

  it('a listing or a search never returns a name or text from outside', async (context) => {
    onlyByDescriptor(context);
    const { workspace, sandbox } = await openWorkspace();
    using _ = workspace;
    await using _flipper = await flipping(workspace, 'race');
    const names = new Set<string>();
    for (let round = 0; round < 1000; round++) {
      const listed = await sandbox.list('race').catch(() => undefined);
      for (const { name } of listed?.entries ?? []) names.add(name);
      const { matches } = await sandbox.find('.', '**/*.txt');
      for (const { path } of matches) names.add(path.split('/').at(-1)!);
      for (const path of await sandbox.complete('race/')) names.add(path.slice(5));
      const { files } = await sandbox.search('.', 'SECRET');
      for (const { path } of files) names.add(path);
    }
    expect([...names]).toEqual(['f.txt']);
  });

  it('a write never creates or changes a file outside', async (context) => {
    onlyByDescriptor(context);
    const { workspace, sandbox } = await openWorkspace();
    using _ = workspace;
    await using _flipper = await flipping(workspace, 'race');
    let written = 0;
    for (let round = 0; round < 1000; round++) {
      const writes = [`race/new${round}.txt`, 'race/f.txt'].map((path) => sandbox.write(path, 'WRITTEN'));
      for (const { status } of await Promise.allSettled(writes)) written += Number(status === 'fulfilled');
    }
    expect(workspace.outsideNames.sort()).toEqual(['f.txt', 'secret.txt']);
    expect(readFileSync(join(workspace.outside, 'f.txt'), 'utf8')).toBe('SECRET');
    expect(written).toBeGreaterThan(0);
  });
});

it.each(openers)(
  'a write to a file that becomes a link changes nothing outside, opened $how',
  async ({ opener }) => {
    using workspace = new Workspace({ 'race.txt': 'SECRET' });
    const sandbox = workspace.open({ opener });
    symlinkSync(join(workspace.outside, 'secret.txt'), join(workspace.root, 'race.txt.out'));
    await using _flipper = await flipping(workspace, 'race.txt');
    for (let round = 0; round < 200; round++) {
      await sandbox.edit('race.txt', [{ oldText: 'SECRET', newText: 'CHANGED' }]).catch(() => {});
      await sandbox.write('race.txt', 'SECRET').catch(() => {});
    }
    expect(readFileSync(join(workspace.outside, 'secret.txt'), 'utf8')).toBe('SECRET');
    expect(workspace.outsideNames).toEqual(['secret.txt']);
  },
);

it.for(['one file', 'two files'])(
  'an edit of %s replaces what it has read when the directory becomes a link meanwhile',
  async (what, context) => {
    context.skip(process.platform !== 'linux', 'Elsewhere paths are checked before and after');
    using workspace = new Workspace({ 'dir/a.txt': 'old', 'b.txt': 'old' });
    writeFileSync(join(workspace.outside, 'a.txt'), 'old');
    const at = (path: string) => JSON.stringify(join(workspace.root, path));
    const paths = JSON.stringify(what === 'one file' ? 'dir/a.txt' : ['dir/a.txt', 'b.txt']);
    // The directory is swapped when the new content is on the disk, beside the old.
    const result = await outcome(`
      const fsync = fs.fsync;
      let swaps = 0;
      fs.fsync = (fd, done) => {
        if (swaps++ > 0) return fsync(fd, done);
        fs.renameSync(${at('dir')}, ${at('moved')});
        fs.symlinkSync(${JSON.stringify(workspace.outside)}, ${at('dir')});
        fsync(fd, done);
      };
      (await import('node:module')).syncBuiltinESMExports();
      const { Sandbox } = await import(source + 'sandbox.ts');
      const sandbox = Sandbox.open({ directories: [${JSON.stringify(workspace.root)}] });
      const { written } = await sandbox.edit(${paths}, [{ oldText: 'old', newText: 'new' }]);
      console.log(JSON.stringify(written));
      process.exit();`);
    expect(result).toBe(true);
    expect(workspace.read('moved/a.txt')).toBe('new');
    expect(readFileSync(join(workspace.outside, 'a.txt'), 'utf8')).toBe('old');
  },
);

describe('concurrent changes of one file', () => {
  it('twenty concurrent edits of one file all take effect', async () => {
    const tokens = Array.from({ length: 20 }, (_, index) => `token-${String(index).padStart(2, '0')}`);
    using workspace = new Workspace({ 'a.txt': tokens.join('\n') });
    symlinkSync('a.txt', join(workspace.root, 'link'));
    const sandbox = workspace.open();
    await Promise.all(
      tokens.map((token, index) =>
        sandbox.edit(index % 2 ? 'a.txt' : 'link', [{ oldText: token, newText: token.toUpperCase() }]),
      ),
    );
    expect(await textOf(sandbox, 'a.txt')).toBe(tokens.join('\n').toUpperCase());
    expect(readdirSync(workspace.root).sort()).toEqual(['a.txt', 'link']);
  });

  it('an edit or a write with the hash of an older content is refused', async () => {
    using workspace = new Workspace({ 'a.txt': 'old' });
    const sandbox = workspace.open();
    const expectedHash = createHash('sha256').update('old').digest('hex');
    expect(
      (await sandbox.edit('a.txt', [{ oldText: 'old', newText: 'new' }], { expectedHash })).written,
    ).toBe(true);
    const hash = createHash('sha256').update('new').digest('hex');
    const conflict = `Changed since it was read (its SHA-256 is now ${hash}); read it again: "a.txt"`;
    expect(
      await problem(() => sandbox.edit('a.txt', [{ oldText: 'new', newText: 'x' }], { expectedHash })),
    ).toBe(conflict);
    expect(await problem(() => sandbox.write('a.txt', 'x', { expectedHash }))).toBe(conflict);
    expect(await problem(() => sandbox.write('b.txt', 'x', { expectedHash }))).toBe('No such file: "b.txt"');
    expect(await textOf(sandbox, 'a.txt')).toBe('new');
  });

  it('an edit is refused when another process replaces the file meanwhile', async () => {
    using workspace = new Workspace({ 'a.txt': '0 mine' });
    const sandbox = workspace.open();
    const path = JSON.stringify(join(workspace.root, 'a.txt'));
    await using other = new Helper(`
      console.log('ready');
      for (let count = 1; count <= 2000; count++) {
        fs.writeFileSync(${path} + '.other', count + ' mine ');
        fs.renameSync(${path} + '.other', ${path});
      }
      console.log('done');`);
    await other.line();
    let running = true;
    const done = other.line().then(() => (running = false));
    const problems = new Set<string>();
    while (running) {
      problems.add(await problem(() => sandbox.edit('a.txt', [{ oldText: ' mine', newText: ' mine!' }])));
    }
    await done;
    expect([...problems].filter((each) => each !== 'nothing went wrong')).toEqual([
      'Changed since it was read; read it again: "a.txt"',
    ]);
    expect(readdirSync(workspace.root)).toEqual(['a.txt']);
  });

  it('an append never adds to a content that another process has just written', async () => {
    using workspace = new Workspace();
    const sandbox = workspace.open();
    const expectedHash = createHash('sha256').update('old').digest('hex');
    for (let turns = 0; turns < 40; turns++) {
      const path = workspace.put('a.txt', 'old');
      const appending = problem(() => sandbox.append('a.txt', ' and more', { expectedHash }));
      for (let turn = 0; turn < turns; turn++) await new Promise((resume) => setImmediate(resume));
      writeFileSync(path, 'other');
      const said = await appending;
      expect(readFileSync(path, 'utf8'), said).toBe('other');
    }
  });

  it('of concurrent writes with ifAbsent, one creates the file', async () => {
    using workspace = new Workspace();
    const [one, two] = [workspace.open(), workspace.open()];
    for (let round = 0; round < 50; round++) {
      const path = `${round}.txt`;
      const results = await Promise.allSettled(
        [one, two, one, two].map((sandbox, index) => sandbox.write(path, String(index), { ifAbsent: true })),
      );
      const winner = results.findIndex(({ status }) => status === 'fulfilled');
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await textOf(one, path)).toBe(String(winner));
      const reasons = results.map((result) =>
        result.status === 'rejected' ? String(result.reason.message) : '',
      );
      expect(new Set(reasons)).toEqual(new Set(['', `Already exists: "${path}"`]));
    }
    expect(readdirSync(workspace.root)).toHaveLength(50);
  });
});

it('a read of a file that shrinks returns no stale bytes', async () => {
  using workspace = new Workspace();
  const sandbox = workspace.open();
  const path = workspace.put('a.txt', 'x'.repeat(900_000));
  const reads = Array.from({ length: 64 }, (_, index) =>
    Promise.resolve(sandbox.readText('a.txt', index % 2 ? { tail: 1 } : {})).catch((error: Error) => error),
  );
  writeFileSync(path, 'short');
  for (const read of await Promise.all(reads)) {
    if (read instanceof Error) expect(read.message).toMatch(/became shorter/);
    else expect(read.text).toMatch(/^(x*|short)$/);
  }
});

async function attempt(sandbox: Sandbox, path: string): Promise<string | undefined> {
  try {
    return await textOf(sandbox, path);
  } catch {
    return undefined;
  }
}
