import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace, WorkspaceTemplate } from './workspace.ts';

/** A merge that stopped: both sides change a.txt, and theirs deletes d.txt, which ours changes. */
const conflict = new WorkspaceTemplate(
  { 'a.txt': 'base\n', 'd.txt': 'd\n', 'e.txt': 'e\n' },
  async (workspace) => {
    await workspace.git.checkoutLocalBranch('other');
    await workspace.git.rm('d.txt');
    await workspace.commit('theirs', { 'a.txt': 'theirs\n' });
    await workspace.git.checkout('main');
    await workspace.commit('ours', { 'a.txt': 'ours\n', 'd.txt': 'changed\n' });
    await workspace.git.merge(['other']).catch(() => {});
  },
);

async function session(workspace: Workspace) {
  const questions: string[] = [];
  const client = await workspace.connect({
    elicit: ({ message }: { message: string }) => {
      questions.push(message.replaceAll(workspace.base, ''));
      return Promise.resolve({ action: 'decline' as const });
    },
  } as never);
  const restore = (args: Record<string, unknown>) => workspace.callText(client, 'git_restore', args);
  return { client, questions, restore };
}
const status = (workspace: Workspace) => workspace.gitAt(workspace.root).raw(['status', '--porcelain']);

test('git_restore resolves conflicts by a side without a question, also where it has deleted the file', async () => {
  using workspace = await conflict.copy();
  const { client, questions, restore } = await session(workspace);
  await using _ = client;
  expect(await restore({ paths: ['a.txt'], side: 'theirs' })).toBe(
    'Took theirs, staged; to undo: git_restore with side "conflict" and the same paths',
  );
  expect(workspace.read('a.txt')).toBe('theirs\n');
  expect(await restore({ paths: ['d.txt'], side: 'theirs' })).toMatch(/^Took theirs|^ERROR Not done/);
  expect(await restore({ paths: ['a.txt'], side: 'conflict' })).toBe('Restored the conflict');
  expect(workspace.read('a.txt')).toMatch(/<<<<<<< /);
  expect(await restore({ paths: ['a.txt'], side: 'ours' })).toMatch(/^Took ours/);
  expect(workspace.read('a.txt')).toBe('ours\n');
  expect(questions.filter((question) => question.includes('a.txt'))).toEqual([]);
});

test('git_restore with a side asks before it replaces a resolution that has begun', async () => {
  using workspace = await conflict.copy();
  workspace.put('a.txt', 'resolved by hand\n');
  const { client, questions, restore } = await session(workspace);
  await using _ = client;
  expect(await restore({ paths: ['a.txt'], side: 'ours' })).toBe('ERROR Not done: the user declined');
  expect(workspace.read('a.txt')).toBe('resolved by hand\n');
  expect(questions).toEqual(['Discard the changes in "a.txt" of /allowed/repo?']);
});

test('git_restore asks before it replaces a file in which one of two conflicts is resolved', async () => {
  const base = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
  const text = (first: string, last: string) => [first, ...base.slice(1, -1), last, ''].join('\n');
  using workspace = await Workspace.create({ 'a.txt': text('1', '9') });
  await workspace.diverge('other', { 'a.txt': text('t', 't') }, { 'a.txt': text('o', 'o') });
  await workspace.git.merge(['other']).catch(() => {});
  const written = workspace.read('a.txt');
  const { client, questions, restore } = await session(workspace);
  await using _ = client;
  const half = written.replace(/<<<<<<<[^]*?>>>>>>> other/, 'resolved');
  workspace.put('a.txt', half);
  expect(await restore({ paths: ['a.txt'], side: 'ours' })).toBe('ERROR Not done: the user declined');
  expect(workspace.read('a.txt')).toBe(half);
  workspace.put('a.txt', written);
  expect(await restore({ paths: ['a.txt'], side: 'ours' })).toBe(
    'Took ours, staged; to undo: git_restore with side "conflict" and the same paths',
  );
  expect(await restore({ paths: ['a.txt'], side: 'conflict' })).toBe('Restored the conflict');
  expect(workspace.read('a.txt')).toBe(written);
  expect(questions).toHaveLength(1);
});

test('git_restore asks only where the content of a file would be lost', async () => {
  using workspace = await conflict.copy();
  await workspace.git.reset(['--hard', '-q']);
  const { client, questions, restore } = await session(workspace);
  await using _ = client;
  process.getBuiltinModule('node:fs').rmSync(join(workspace.root, 'e.txt'));
  expect(await restore({ paths: ['e.txt'] })).toBe('Restored 1 file');
  expect(await restore({ paths: ['a.txt'], source: 'other' })).toBe('Restored 1 file');
  expect(questions).toEqual([]);
  expect(await restore({ paths: ['a.txt'] })).toBe('ERROR Not done: the user declined');
  await workspace.git.raw(['rm', '-q', '--cached', 'd.txt']);
  workspace.put('d.txt', 'not in git\n');
  expect(await restore({ paths: ['d.txt'], source: 'HEAD' })).toBe('ERROR Not done: the user declined');
  expect(workspace.read('d.txt')).toBe('not in git\n');
  expect(questions).toHaveLength(2);
});

test('git_reset with hard asks only where there are changes', async () => {
  using workspace = await conflict.copy();
  await workspace.git.reset(['--hard', '-q']);
  const { client, questions } = await session(workspace);
  await using _ = client;
  const reset = (revision = 'HEAD~1') => workspace.callText(client, 'git_reset', { mode: 'hard', revision });
  expect(await reset()).toMatch(/^main is at [0-9a-f]{10}, was [0-9a-f]{10}; clean$/);
  workspace.put('a.txt', 'changed\n');
  expect(await reset('HEAD')).toBe('ERROR Not done: the user declined');
  expect(questions).toHaveLength(1);
});

test('git_read_file reads the sides of a conflict', async () => {
  using workspace = await conflict.copy();
  const { client } = await session(workspace);
  await using _ = client;
  const read = (revision: string) => workspace.callText(client, 'git_read_file', { path: 'a.txt', revision });
  expect(await Promise.all([':1', ':2', ':3'].map(read))).toEqual(['base\n', 'ours\n', 'theirs\n']);
  for (const hostile of [':4', ':', ':/theirs', ':0:x', '::', ':-1'])
    expect(await read(hostile), hostile).toMatch(/^ERROR Invalid revision/);
  expect(await read(':0')).toBe('ERROR No such file in ":0": "a.txt"');
});

test.each([
  { paths: ['e.txt'], side: 'ours' },
  { paths: ['a.txt', 'missing.txt'], side: 'theirs' },
  { paths: ['a.txt'], side: 'theirs', source: 'HEAD' },
  { paths: ['a.txt'], side: 'theirs', staged: true },
  { paths: ['a.txt'], side: '--merge' },
  { paths: ['../x'], side: 'theirs' },
  { paths: ['.git/index'], side: 'conflict' },
  { paths: ['*'], side: 'theirs' },
])('git_restore refuses %j, and changes nothing', async (args) => {
  using workspace = await conflict.copy();
  const before = await status(workspace);
  await using client = await workspace.connect();
  const { content, isError } = await client.callTool('git_restore', args).catch((error: unknown) => ({
    content: [String(error)],
    isError: true,
  }));
  expect(isError, JSON.stringify(content)).toBe(true);
  expect(await status(workspace)).toBe(before);
  expect(existsSync(join(workspace.root, 'd.txt'))).toBe(true);
});
