import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FileLocks } from '../src/replace/file-locks.ts';
import { Helper } from './helper.ts';
import { Workspace } from './workspace.ts';

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');

/** Starts two processes on a directory; each runs `code` per line it receives and prints the result. */
async function twoServers(root: string, code: string) {
  const servers = [0, 1].map(
    (id) =>
      new Helper(`
      const { Sandbox } = await import(source + 'sandbox.ts');
      const { createInterface } = await import('node:readline');
      const sandbox = Sandbox.open({ directories: [${JSON.stringify(root)}] });
      const id = ${id};
      console.log('ready');
      for await (const line of createInterface({ input: process.stdin })) {
        const round = JSON.parse(line);
        const result = await (async () => { ${code} })().then(() => 'done', (error) => error.message);
        console.log(result);
      }`),
  );
  for (const server of servers) await server.line();
  return {
    /** Runs one round in both processes and returns their results. */
    async run(round: unknown): Promise<(string | undefined)[]> {
      for (const server of servers) server.send(JSON.stringify(round));
      return Promise.all(servers.map((server) => server.line()));
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) await server.kill();
    },
  };
}

test('no edit is lost when two servers edit one file', async () => {
  using workspace = new Workspace({ 'a.txt': '' });
  const file = join(workspace.root, 'a.txt');
  writeFileSync(file, `${Array.from({ length: 100 }, (_, line) => `<${line}> 0`).join('\n')}\n`);
  await using servers = await twoServers(
    workspace.root,
    `
    const line = '<' + (round + id) + '> ';
    await sandbox.edit('a.txt', [{ oldText: line + '0', newText: line + '1' }]);`,
  );
  for (let round = 0; round < 100; round += 2) expect(await servers.run(round)).toEqual(['done', 'done']);
  expect(readFileSync(file, 'utf8').match(/> 1/g)).toHaveLength(100);
});

test('no edit is lost when two servers edit the same files in one call each', async () => {
  const names = ['a.txt', 'b.txt', 'c.txt'];
  const content = Array.from({ length: 8 }, (_, line) => `<${line}> 0`).join('\n');
  using workspace = new Workspace(Object.fromEntries(names.map((name) => [name, content])));
  await using servers = await twoServers(
    workspace.root,
    `
    const line = '<' + (round + id) + '> ';
    const names = id === 0 ? ['a.txt', 'b.txt', 'c.txt'] : ['c.txt', 'b.txt', 'a.txt'];
    await sandbox.edit(names, [{ oldText: line + '0', newText: line + '1' }]);`,
  );
  for (let round = 0; round < 8; round += 2) expect(await servers.run(round)).toEqual(['done', 'done']);
  for (const name of names)
    expect(readFileSync(join(workspace.root, name), 'utf8').match(/> 1/g)).toHaveLength(8);
});

test('of two servers that write with the same expectedHash, one succeeds', async () => {
  using workspace = new Workspace({ 'a.txt': 'start' });
  const file = join(workspace.root, 'a.txt');
  await using servers = await twoServers(
    workspace.root,
    `await sandbox.write('a.txt', 'by ' + id + ' in ' + round.number, { expectedHash: round.hash });`,
  );
  for (let number = 0; number < 60; number++) {
    const results = await servers.run({ number, hash: sha256(readFileSync(file, 'utf8')) });
    expect(results.filter((result) => result === 'done')).toHaveLength(1);
  }
});

test('of two servers that move one file, one succeeds', async () => {
  using workspace = new Workspace();
  await using servers = await twoServers(
    workspace.root,
    `await sandbox.move(round + '.txt', round + '.moved' + id);`,
  );
  for (let round = 0; round < 60; round++) {
    writeFileSync(join(workspace.root, `${round}.txt`), 'x');
    const results = await servers.run(round);
    expect(results.filter((result) => result === 'done')).toHaveLength(1);
    const moved = [0, 1].filter((id) => existsSync(join(workspace.root, `${round}.moved${id}`)));
    expect(moved).toHaveLength(1);
  }
});

test('the lock of a server that is killed during a change ends with its process', async () => {
  using workspace = new Workspace({ 'a.txt': 'one' });
  const helper = new Helper(`
    const { FileLocks } = await import(source + 'replace/file-locks.ts');
    const { statSync } = await import('node:fs');
    const { dev, ino } = statSync(${JSON.stringify(workspace.root)});
    await new FileLocks().acquire([{ parent: { dev, ino }, name: 'a.txt' }]);
    console.log('locked');
    setInterval(() => {}, 1000);`);
  expect(await helper.line()).toBe('locked');
  const sandbox = workspace.open();
  const writing = sandbox.write('a.txt', 'two');
  await helper.kill();
  await expect(writing).resolves.toMatchObject({ created: false });
});

test('an edit that is cancelled while another server changes its file changes nothing', async () => {
  using workspace = new Workspace({ 'a.txt': 'old' });
  const sandbox = workspace.open();
  const cancelled = new AbortController();
  const lock = await new FileLocks().acquire([{ parent: statSync(workspace.root), name: 'a.txt' }]);
  const edits = [{ oldText: 'old', newText: 'new' }];
  const editing = sandbox.edit('a.txt', edits, { signal: cancelled.signal });
  // When this one has its answer, the other one is planned and waits.
  await sandbox.edit('a.txt', edits, { dryRun: true });
  cancelled.abort(new Error('Cancelled by the client'));
  lock[Symbol.dispose]();
  await expect(editing).rejects.toThrow('Cancelled by the client');
  expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('old');
});

test('an edit of files that another server has changed meanwhile is refused where it applies to none', async () => {
  using workspace = new Workspace({ 'a.txt': 'old', 'b.txt': 'old' });
  const sandbox = workspace.open();
  const edits = [{ oldText: 'old', newText: 'new' }];
  const edit = async (changed: readonly string[]) => {
    const lock = await new FileLocks().acquire([{ parent: statSync(workspace.root), name: 'a.txt' }]);
    const editing = sandbox.edit(['a.txt', 'b.txt'], edits);
    // When this one has its answer, the other one is planned and waits.
    await sandbox.edit(['a.txt', 'b.txt'], edits, { dryRun: true });
    for (const name of changed) workspace.put(name, 'other');
    lock[Symbol.dispose]();
    return editing;
  };
  await expect(edit(['a.txt', 'b.txt'])).rejects.toThrow('oldText does not occur in any of 2 files: "old"');
  for (const name of ['a.txt', 'b.txt']) workspace.put(name, 'old');
  const { files, unmatched } = await edit(['a.txt']);
  expect(files.map(({ path }) => path)).toEqual(['b.txt']);
  expect(unmatched.items).toEqual(['a.txt']);
});
