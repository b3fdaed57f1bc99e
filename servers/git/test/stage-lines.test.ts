import { expect, test } from 'vitest';
import { Workspace, WorkspaceTemplate } from './workspace.ts';

const old = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n';
const changed = 'zero\none\ntwo\n3\nfour\nfive\nsix\nseven\nVIII\n8b\nnine\n';

/** A file with three changes that are not staged: an insertion, and two replacements. */
const template = new WorkspaceTemplate({ 'a.txt': old, 'b.txt': 'b\n' }, async () => {});
async function edited(): Promise<Workspace> {
  const workspace = await template.copy();
  workspace.put('a.txt', changed);
  return workspace;
}

/** The index line, and the headers of the hunks, as the tool shows them. */
async function shown(workspace: Workspace, context_lines = 0) {
  await using client = await workspace.connect();
  const diff = await workspace.callText(client, 'git_diff_unstaged', { paths: ['a.txt'], context_lines });
  return { index: /^index (\S+)/m.exec(diff)?.[1], hunks: diff.match(/^@@ .*$/gm) ?? [] };
}
async function add(workspace: Workspace, args: Record<string, unknown>) {
  await using client = await workspace.connect();
  return await workspace.callText(client, 'git_add', { files: ['a.txt'], ...args });
}
const staged = async (workspace: Workspace) => await workspace.gitAt(workspace.root).show([':a.txt']);

test('git_add stages one hunk of a diff, by its header', async () => {
  using workspace = await edited();
  const { index, hunks } = await shown(workspace);
  expect(await add(workspace, { lines: [hunks[1]], index })).toBe(
    'Staged 2 changed lines; to undo: git_restore with staged and the same path',
  );
  expect(await staged(workspace)).toBe(old.replace('three', '3'));
  expect(workspace.read('a.txt')).toBe(changed);
});

test('git_add stages single lines, added and removed', async () => {
  using workspace = await edited();
  const { index } = await shown(workspace, 3);
  expect(await add(workspace, { lines: ['+1', '+10', '-8'], index })).toMatch(/^Staged 3 changed lines/);
  expect(await staged(workspace)).toBe(`zero\n${old.replace('eight', '8b')}`);
});

test('git_add stages all hunks to exactly the file, also without a line break at its end', async () => {
  using workspace = await template.copy();
  workspace.put('a.txt', changed.trimEnd());
  const { index } = await shown(workspace);
  await add(workspace, { lines: ['+1-99', '-1-99'], index });
  expect(await staged(workspace)).toBe(changed.trimEnd());
  expect(await workspace.output(['status', '--porcelain'])).toBe('M  a.txt');
});

test('git_commit commits only some lines of a file, and says what is left', async () => {
  using workspace = await edited();
  const { index, hunks } = await shown(workspace);
  await using client = await workspace.connect();
  const commit = (args: object) =>
    workspace.callText(client, 'git_commit', { message: 'some', files: ['a.txt'], ...args });
  expect(await commit({ lines: [hunks[1]], index })).toMatch(
    /^Committed on main: .*: some; 1 file, \+1 −1; left: 1 not staged$/,
  );
  expect(await workspace.gitAt(workspace.root).show(['HEAD:a.txt'])).toBe(old.replace('three', '3'));
  expect(workspace.read('a.txt')).toBe(changed);
  const before = await workspace.state();
  expect(await commit({ lines: [hunks[0]], index })).toMatch(/^ERROR The file, .* has changed since/);
  const missing = await commit({ lines: ['+1'] });
  expect(missing).toMatch(
    /^ERROR Missing index: if the lines are those of the present diff of "a\.txt" \([-+\d, ]+\), its index is /,
  );
  const [present = ''] = /[0-9a-f]+\.\.[0-9a-f]+$/.exec(missing) ?? [];
  expect(await commit({ lines: ['+1'], index: present, message: '' })).not.toMatch(/index|changed since/);
  expect(await commit({ lines: ['+1'], index, all: true })).toMatch(/^ERROR Invalid lines/);
  expect(await commit({ lines: ['+1'], index, files: ['a.txt', 'b.txt'] })).toMatch(/^ERROR Invalid lines/);
  expect(await commit({ reword: 'HEAD', lines: ['+1'], index })).toMatch(/^ERROR Invalid arguments: reword/);
  expect(await commit({ lines: ['+1'], index: (await shown(workspace)).index, message: '' })).toMatch(
    /^ERROR Invalid message/,
  );
  expect(await workspace.state()).toBe(before);
});

test('git_add stages no line of a file that has changed since its diff', async () => {
  using workspace = await edited();
  const { index, hunks } = await shown(workspace);
  workspace.put('a.txt', changed.replace('3', '4'));
  const before = await workspace.state();
  expect(await add(workspace, { lines: [hunks[1]], index })).toBe(
    'ERROR The file, or what is staged of it, has changed since that diff, and nothing was staged: read the unstaged diff again',
  );
  workspace.put('a.txt', changed);
  await add(workspace, { lines: ['+1'], index });
  expect(await add(workspace, { lines: [hunks[1]], index })).toMatch(
    /^ERROR The file, or what is staged of it, has changed/,
  );
  expect(await workspace.state()).not.toBe(before);
});

test('git_add keeps the bytes and the mode of a file of which lines are staged', async () => {
  using workspace = await template.copy();
  workspace.put('a.txt', Buffer.from('gr\xfcn\r\n\r\nend\n', 'latin1'));
  process.getBuiltinModule('node:fs').chmodSync(`${workspace.root}/a.txt`, 0o755);
  await workspace.git.add('a.txt');
  await workspace.git.commit('binary');
  workspace.put('a.txt', Buffer.from('gr\xfcn\r\nbl\xe4u\r\n\r\nend\nx\n', 'latin1'));
  const { index } = await shown(workspace);
  await add(workspace, { lines: ['+2'], index });
  expect(await workspace.output(['ls-files', '--stage', 'a.txt'])).toMatch(/^100755 /);
  const blob = await workspace.gitAt(workspace.root).binaryCatFile(['blob', ':a.txt']);
  expect(Buffer.from(blob).toString('latin1')).toBe('gr\xfcn\r\nbl\xe4u\r\n\r\nend\n');
});

test.each([
  [{ lines: ['+1'] }, /^ERROR Missing index/],
  [{ lines: ['+1'], index: '--cached' }, /^ERROR Invalid index/],
  [{ lines: ['+1'], index: 'aaaa..bbbb' }, /^ERROR The file, or what is staged of it, has changed/],
  [{ lines: ['--all'], index: 'aaaa..bbbb' }, /^ERROR Invalid lines/],
  [{ lines: ['+1'], index: 'aaaa..bbbb', files: ['a.txt', 'b.txt'] }, /^ERROR Invalid lines/],
  [{ lines: ['+1'], index: 'aaaa..bbbb', files: ['b.txt'] }, /^ERROR Not a text file with unstaged changes/],
  [{ lines: ['+1'], index: 'aaaa..bbbb', files: ['../x'] }, /^ERROR Outside the repository/],
  [{ lines: ['+1'], index: 'aaaa..bbbb', files: ['.git/config'] }, /^ERROR Inside the git directory/],
  [{ lines: ['+1'], index: 'aaaa..bbbb', untrack: true }, /^ERROR Invalid lines/],
  [{ untrack: true, files: ['-r'] }, /^ERROR Not a tracked file/],
  [{ untrack: true, files: ['*'] }, /^ERROR Not a tracked file/],
  [{ untrack: true, files: ['../x'] }, /^ERROR Outside the repository/],
])('git_add refuses %j, and stages nothing', async (args, refusal) => {
  using workspace = await edited();
  const before = await workspace.state();
  expect(await add(workspace, args)).toMatch(refusal);
  expect(await workspace.state()).toBe(before);
});

test.each(['--all', '+0x1', '+5-2', '@@ -1 +1', '1-3', '+'])(
  'git_add refuses the lines %j of a diff',
  async (line) => {
    using workspace = await edited();
    const { index } = await shown(workspace);
    expect(await add(workspace, { lines: [line], index })).toMatch(/^ERROR Invalid lines/);
  },
);

test.each([
  ['an empty file', '', 'one\ntwo\n', ['+1'], 'one\n'],
  ['all lines of a file', 'one\ntwo\n', '', ['-1-2'], ''],
  ['a line break at the end', 'one\ntwo', 'one\ntwo\n', ['-2', '+2'], 'one\ntwo\n'],
  ['a file without a line break', 'one', 'zero\none', ['+1'], 'zero\none'],
  [
    'lines that look like a diff',
    '--- a/x\n',
    '--- a/x\n+++ b/y\n@@ -1 +1 @@\n',
    ['+2'],
    '--- a/x\n+++ b/y\n',
  ],
])('git_add stages lines of %s exactly', async (_what, before, after, lines, expected) => {
  using workspace = await Workspace.create({ 'a.txt': before, 'b.txt': 'b\n' });
  workspace.put('a.txt', after);
  const { index } = await shown(workspace);
  expect(await add(workspace, { lines, index })).toMatch(/^Staged /);
  expect(await staged(workspace)).toBe(expected);
});

test.each([
  'tab\there',
  'quo"te',
  'ünïcode \u{1f600}',
  ' leading and trailing ',
  'back\\slash',
  'line\nbreak',
  '-x',
])('git_add stages lines of a file that is named %j', async (name) => {
  using workspace = await Workspace.create({ [name]: 'one\n' });
  workspace.put(name, 'zero\none\ntwo\n');
  const hash = async (text: string) => await workspace.output(['hash-object', '--stdin'], { input: text });
  const index = `${await hash('one\n')}..${await hash('zero\none\ntwo\n')}`;
  expect(await add(workspace, { files: [name], lines: ['+3'], index })).toMatch(/^Staged 1 /);
  expect(await workspace.gitAt(workspace.root).show([`:./${name}`])).toBe('one\ntwo\n');
});

test('git_add stages no line of a file beyond a symlink', async () => {
  using workspace = await Workspace.create({ 'deep/id': 'x\n' });
  const { mkdirSync, rmSync, symlinkSync, writeFileSync } = process.getBuiltinModule('node:fs');
  mkdirSync(`${workspace.outside}/keys`);
  writeFileSync(`${workspace.outside}/keys/id`, 'SECRET\n');
  rmSync(`${workspace.root}/deep`, { recursive: true });
  symlinkSync(`${workspace.outside}/keys`, `${workspace.root}/deep`);
  const args = { files: ['deep/id'], lines: ['+1'], index: 'aaaa..bbbb' };
  expect(await add(workspace, args)).toMatch(/^ERROR Not a text file with unstaged changes/);
});

test('git_add with untrack stops tracking a file, and keeps it', async () => {
  using workspace = await edited();
  expect(await add(workspace, { untrack: true })).toMatch(/^Not tracked from the next commit on/);
  expect(await workspace.output(['status', '--porcelain'])).toBe('D  a.txt\n?? a.txt');
  expect(workspace.read('a.txt')).toBe(changed);
});
