import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

async function prepared(): Promise<Workspace> {
  const workspace = await Workspace.create({ 'src/server.ts': 'x\n', 'gone.txt': 'g\n', 'README.md': 'r\n' });
  await workspace.git.rm('gone.txt');
  await workspace.commit('second', { 'new.txt': 'n\n' });
  writeFileSync(join(workspace.root, 'untracked.txt'), 'u\n');
  return workspace;
}

const nearest = (name: string, near: string, where = '') =>
  new RegExp(`^ERROR No such file${where}: "${name}"; similar names are (.*, )?"${near}"`);

test('a diff or a search of a path that does not exist says so, with the nearest name', async () => {
  using workspace = await prepared();
  await using client = await workspace.connect();
  const call = (tool: string, args: object) => workspace.callText(client, tool, { ...args });
  const paths = ['src/sever.ts'];
  const near = nearest('src/sever.ts', 'src/server.ts');
  expect(await call('git_diff_unstaged', { paths })).toMatch(near);
  expect(await call('git_diff_staged', { paths: ['README.md', ...paths] })).toMatch(near);
  expect(await call('git_diff', { target: 'HEAD', paths })).toMatch(near);
  expect(await call('git_diff', { target: 'HEAD~1..HEAD', paths })).toMatch(
    nearest('src/sever.ts', 'src/server.ts', ' in "HEAD~1..HEAD"'),
  );
  expect(await call('git_grep', { pattern: 'x', paths })).toMatch(
    /^ERROR Not a tracked file: "src\/sever\.ts"; similar names are "src\/server\.ts"/,
  );
  expect(await call('git_grep', { pattern: 'x', paths, revision: 'HEAD~1' })).toMatch(
    nearest('src/sever.ts', 'src/server.ts', ' in "HEAD~1"'),
  );
  expect(await call('git_grep', { pattern: 'u', paths: ['untracked.txt'] })).toMatch(
    /^ERROR Not a tracked file: "untracked\.txt"/,
  );
});

test('a path that exists on one side, in the index or as a directory is no mistake', async () => {
  using workspace = await prepared();
  await using client = await workspace.connect();
  const call = (tool: string, args: object) => workspace.callText(client, tool, { ...args });
  for (const path of ['src/server.ts', 'src', '.', 'README.md'])
    for (const tool of ['git_diff_unstaged', 'git_diff_staged'])
      expect(await call(tool, { paths: [path] }), `${tool} ${path}`).toMatch(/^No|^Nothing/);
  for (const target of ['HEAD~1', 'HEAD~1..HEAD', 'HEAD~1...HEAD', 'HEAD~1..', '..HEAD~1'])
    for (const path of ['gone.txt', 'new.txt'])
      expect(await call('git_diff', { target, paths: [path] }), `${target} ${path}`).toMatch(/^[01]\t[01]\t/);
  expect(await call('git_diff', { target: 'HEAD~1..HEAD', paths: ['src'] })).toBe('No difference');
  expect(await call('git_grep', { pattern: 'nothing', paths: ['src', 'README.md'] })).toBe('No matches');
  expect(await call('git_grep', { pattern: 'nothing', paths: ['src'], revision: 'HEAD~1' })).toBe(
    'No matches',
  );
  await workspace.git.raw(['rm', '-q', 'README.md']);
  expect(await call('git_diff_staged', { paths: ['README.md'] })).toMatch(/^0\t1\tREADME\.md/);
  expect(await call('git_diff_unstaged', { paths: ['README.md'] })).toMatch(
    /^ERROR No such file: "README\.md"/,
  );
});

test('a log of a path says from where it was renamed', async () => {
  using workspace = await Workspace.create({
    'old "name".txt': 'one\ntwo\nthree\n',
    'lib/a.ts': 'a\n'.repeat(9),
  });
  await workspace.commit('before', { 'old "name".txt': 'one\ntwo\n3\n' });
  await workspace.git.raw(['mv', 'old "name".txt', 'new.txt']);
  await workspace.git.raw(['mv', 'lib', 'src']);
  const renamed = (await workspace.commit('renamed')) && (await workspace.git.revparse('HEAD')).slice(0, 10);
  await workspace.commit('after', { 'new.txt': 'one\ntwo\n3\n4\n', 'src/b.ts': 'b\n' });
  await using client = await workspace.connect();
  const log = (args: object) => workspace.callText(client, 'git_log', { ...args });
  const note = `Renamed from "old \\"name\\".txt" in ${renamed}; ask for that path, or pass follow`;
  const lines = (await log({ path: 'new.txt' })).split('\n');
  expect(lines.slice(2)).toEqual([note, '2 commits']);
  const first = await log({ path: 'new.txt', max_count: 1 });
  expect(first).not.toContain('Renamed');
  const cursor = /cursor "(.*)"$/.exec(first)?.[1];
  expect(await log({ path: 'new.txt', max_count: 1, cursor })).toContain(note);
  expect(await log({ path: 'new.txt', author: 'Ada', grep: 'after' })).toContain(note);
  expect(await log({ path: 'src' })).toContain(`Renamed from "lib" in ${renamed}`);
  expect(await log({ path: 'src/b.ts' })).not.toContain('Renamed');
  expect(await log({ path: 'old "name".txt' })).toMatch(/ before\n.* first\n3 commits$/);
  expect(await log({ path: 'new.txt', revision: 'HEAD~1..HEAD' })).not.toContain('Renamed');
});

test('the error for a path with the escapes of an answer says that an argument has none', async () => {
  using workspace = await Workspace.create({ 'a\u001b.txt': 'a\n' });
  await using client = await workspace.connect();
  const blame = (path: string) => workspace.callText(client, 'git_blame', { path });
  expect(await blame('a\\u{1b}.txt')).toBe(
    'ERROR No such file in "HEAD": "a\\\\u{1b}.txt"; write the characters of a path as they are, without escapes such as \\n',
  );
  expect(await blame('a\u001b.txt')).toContain('1 range, 1 line in all');
});
