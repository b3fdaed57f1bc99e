import { viewsCapability } from '@mcp/views';
import type { Client } from '@mcp/protocol/testing';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

// The tools by which the view reads, and by which it unstages lines.

type Facts = { readonly [name: string]: unknown };

async function ask(client: Client, name: string, args: object = {}): Promise<Facts> {
  const { structuredContent, content, isError } = await client.callTool(name, { ...args });
  if (isError) throw new Error((content[0] as { text: string }).text);
  return structuredContent as Facts;
}

const show = (workspace: Workspace) => workspace.connect({ extensions: viewsCapability });
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`);

test('rows of a patch have their kinds and their lines, in pairs too', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'one\ntwo\nthree\nfour' });
  workspace.put('a.txt', 'one\n2\n2b\nthree\n4\n');
  await using client = await show(workspace);
  const read = async (args: object) =>
    (await ask(client, 'read_patch', {
      of: 'unstaged',
      paths: ['a.txt'],
      counts: true,
      ...args,
    })) as Facts & {
      rows: unknown[];
    };
  expect((await read({})).rows).toEqual([
    ['@', 1, 1, '@@ -1,4 +1,5 @@'],
    [' ', 1, 1, 'one'],
    ['-', 2, 0, 'two'],
    ['+', 0, 2, '2'],
    ['+', 0, 3, '2b'],
    [' ', 3, 4, 'three'],
    ['-', 4, 0, 'four'],
    ['\\', 0, 0, '\\ No newline at end of file'],
    ['+', 0, 5, '4'],
  ]);
  const { rows, total, more } = await read({ pairs: true });
  expect({ total, more }).toEqual({ total: 7, more: false });
  expect(rows.slice(2)).toEqual([
    ['|', 2, 2, 'two', '2'],
    ['+', 0, 3, '2b'],
    [' ', 3, 4, 'three'],
    ['|', 4, 5, 'four', '4'],
    ['\\', 0, 0, '\\ No newline at end of file'],
  ]);
  expect(await read({ skip: 4, limit: 2 })).toMatchObject({ total: 9, more: true });
  expect((await read({ skip: 4, limit: 2 })).rows).toEqual([
    ['+', 0, 3, '2b'],
    [' ', 3, 4, 'three'],
  ]);
});

test('a long line is cut, and rows after it are read', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'x\nend\n' });
  workspace.put('a.txt', `${'\u00e4'.repeat(5_000_000)}\nend\n${numbered(3_000).join('')}`);
  await using client = await show(workspace);
  const args = { of: 'unstaged', paths: ['a.txt'], skip: 2_990, limit: 5, counts: true };
  const { rows, total } = (await ask(client, 'read_patch', args)) as { rows: string[][]; total: number };
  expect(rows.map(([, , line, text]) => [line, text])).toEqual(
    [2_989, 2_990, 2_991, 2_992, 2_993].map((line) => [line, `line ${line - 2}`]),
  );
  expect(total).toBe(3_004);
  const first = (await ask(client, 'read_patch', { ...args, skip: 2, limit: 1 })) as { rows: string[][] };
  expect(first.rows[0]![3]).toBe(`${'\u00e4'.repeat(999)}…`);
});

test('a commit is compared with its first parent, and a renamed file with its former name', async () => {
  using workspace = await Workspace.create({ 'old.txt': numbered(20).join('') });
  await workspace.git.mv('old.txt', 'new.txt');
  await workspace.commit('renamed', { 'new.txt': numbered(21).join('') });
  await using client = await show(workspace);
  const of = { commit: 'HEAD' };
  expect(await ask(client, 'read_files', { of })).toMatchObject({
    repo_path: workspace.root,
    commit: { message: 'renamed', author: 'Ada' },
    files: [{ path: 'new.txt', from: 'old.txt', added: 1, deleted: 0 }],
  });
  expect(await ask(client, 'read_patch', { of, paths: ['new.txt', 'old.txt'] })).toMatchObject({
    rows: [
      ['#', 0, 0, 'rename from old.txt'],
      ['#', 0, 0, 'rename to new.txt'],
      ['@', 18, 18, '@@ -18,3 +18,4 @@ line 17'],
      [' ', 18, 18, 'line 18'],
      [' ', 19, 19, 'line 19'],
      [' ', 20, 20, 'line 20'],
      ['+', 0, 21, 'line 21'],
    ],
  });
  await expect(ask(client, 'read_files', { of: { commit: '--output=x' } })).rejects.toThrow(
    'Invalid revision',
  );
  await expect(ask(client, 'read_files', { of: { commit: 'none' } })).rejects.toThrow('No such revision');
});

test('both sides of a conflict are rows', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.diverge('topic', { 'a.txt': 'theirs\n' }, { 'a.txt': 'ours\n' });
  await using client = await show(workspace);
  await client.callTool('git_integrate', { action: 'merge', revision: 'topic' });
  const { rows } = (await ask(client, 'read_patch', { of: 'unstaged', paths: ['a.txt'], pairs: true })) as {
    rows: string[][];
  };
  expect(rows.map(([kind, , , text]) => `${kind}${text}`)).toEqual([
    '@@@@ -1,1 -1,1 +1,5 @@@',
    '+<<<<<<< HEAD',
    '+ours',
    '+=======',
    '+theirs',
    '+>>>>>>> topic',
  ]);
});

test('the history has the names of its commits, and pages', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.diverge('topic', { 'b.txt': 'b\n' }, { 'a.txt': 'b\n' });
  await workspace.git.raw(['merge', '-q', '-m', 'merged', 'topic']);
  await workspace.git.addTag('v1');
  await using client = await show(workspace);
  const first = await ask(client, 'read_history', { limit: 2 });
  expect(first).toMatchObject({
    commits: [{ subject: 'merged', parents: [expect.any(String), expect.any(String)] }, {}],
    refs: [
      { name: 'main', kind: 'branch', current: true, hash: first['head'] },
      { name: 'topic', kind: 'branch' },
      { name: 'v1', kind: 'tag' },
    ],
  });
  const rest = await ask(client, 'read_history', { cursor: first['next_cursor'] });
  expect(rest['commits']).toHaveLength(2);
  expect(rest).not.toHaveProperty('refs');
});

test('blame is read in pages', async () => {
  using workspace = await Workspace.create({ 'a.txt': numbered(5).join('') });
  await workspace.commit('more', { 'a.txt': `zero\n${numbered(5).join('')}` });
  await using client = await show(workspace);
  const read = (args: object) => ask(client, 'read_blame', { path: 'a.txt', limit: 3, ...args });
  expect(await read({})).toMatchObject({
    ranges: [
      { start_line: 1, subject: 'more', lines: ['zero'] },
      { start_line: 2, subject: 'first', lines: ['line 1', 'line 2'] },
    ],
    next_line: 4,
  });
  expect(await read({ start_line: 4 })).not.toHaveProperty('next_line');
});

test('unstage_lines takes only these lines out of the index, and says how that is undone', async () => {
  const old = 'one\ntwo\nthree\nfour\n';
  const staged = 'zero\none\n2\nthree\nfour\nfive\n';
  using workspace = await Workspace.create({ 'a.txt': old });
  workspace.put('a.txt', staged);
  await workspace.git.add('a.txt');
  await using client = await show(workspace);
  const of = { of: 'staged', paths: ['a.txt'] };
  const { index } = await ask(client, 'read_patch', of);
  const { said, count } = await ask(client, 'unstage_lines', {
    path: 'a.txt',
    lines: ['+1', '-2', '+3'],
    index,
  });
  expect(count).toBe(3);
  expect(await workspace.gitAt(workspace.root).show([':a.txt'])).toBe(`${old}five\n`);
  expect(workspace.read('a.txt')).toBe(staged);
  await expect(ask(client, 'unstage_lines', { path: 'a.txt', lines: ['+1'], index })).rejects.toThrow(
    'has changed since',
  );
  const [, source] = /source ([0-9a-f]+) and/.exec(String(said)) ?? [];
  await client.callTool('git_restore', { paths: ['a.txt'], staged: true, source });
  expect(await workspace.gitAt(workspace.root).show([':a.txt'])).toBe(staged);
  await expect(ask(client, 'unstage_lines', { path: '../x', lines: ['+1'], index })).rejects.toThrow(
    'Outside',
  );
});

test('with --read-only, the view gets no tool that writes', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect({ readOnly: true, extensions: viewsCapability });
  expect(await ask(client, 'read_status')).toMatchObject({ branch: 'main', files: [], writable: false });
  await expect(client.callTool('unstage_lines', {})).rejects.toThrow('unstage_lines');
});
