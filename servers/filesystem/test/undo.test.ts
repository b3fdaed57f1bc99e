import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const files = { 'a.txt': 'one one\n', 'b.txt': 'one\n', 'sub/c.txt': 'three\n', 'run.sh': '' };

async function openWorkspace() {
  const workspace = new Workspace(files);
  chmodSync(join(workspace.root, 'run.sh'), 0o640);
  const client = await workspace.connect();
  return {
    workspace,
    say: async (tool: string, args: object) => (await workspace.say(client, tool, { ...args })).join('\n'),
  };
}

/** The files with their modes and contents; directories by their names. */
function contentOf(root: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const mode = (statSync(path).mode & 0o777).toString(8);
      return [path.slice(root.length), entry.isFile() ? `${mode} ${readFileSync(path, 'utf8')}` : ''];
    }),
  );
}

const each = { oldText: 'one', newText: 'uno', count: 0 };

test.each([
  {
    tool: 'move_file',
    args: { source: 'a.txt', destination: 'sub/a.txt' },
    says: 'move_file with source and destination exchanged',
    undo: ['move_file', { source: 'sub/a.txt', destination: 'a.txt' }],
  },
  {
    tool: 'move_file',
    args: { sources: ['a.txt', 'b.txt'], destinations: ['1', '2'] },
    says: 'move_file with sources and destinations exchanged',
    undo: ['move_file', { sources: ['1', '2'], destinations: ['a.txt', 'b.txt'] }],
  },
  {
    tool: 'move_file',
    args: { sources: ['a.txt', 'b.txt'], destination: 'sub' },
    says: 'move_file with the new paths as sources, the old ones as destinations',
    undo: ['move_file', { sources: ['sub/a.txt', 'sub/b.txt'], destinations: ['a.txt', 'b.txt'] }],
  },
  {
    tool: 'move_file',
    args: { sources: ['sub/c.txt', 'sub'], destinations: ['c', 's'] },
    says: 'move_file with sources and destinations exchanged, both in reverse order',
    undo: ['move_file', { sources: ['s', 'c'], destinations: ['sub', 'sub/c.txt'] }],
  },
  {
    tool: 'move_file',
    args: { sources: ['a.txt', 'b.txt'], destinations: ['1', 'a.txt'] },
    says: 'move_file with sources and destinations exchanged, both in reverse order',
    undo: ['move_file', { sources: ['a.txt', '1'], destinations: ['b.txt', 'a.txt'] }],
  },
  {
    tool: 'copy_file',
    args: { source: 'a.txt', destination: 'd.txt' },
    says: 'delete_file d.txt',
    undo: ['delete_file', { path: 'd.txt' }],
  },
  {
    tool: 'copy_file',
    args: { source: 'sub', destination: 'copy' },
    says: 'delete_file copy, recursive',
    undo: ['delete_file', { path: 'copy', recursive: true }],
  },
  {
    tool: 'copy_file',
    args: { sources: ['a.txt', 'b.txt'], destinations: ['1', '2'] },
    says: 'delete_file with the new paths as its argument paths',
    undo: ['delete_file', { paths: ['1', '2'] }],
  },
  {
    tool: 'copy_file',
    args: { glob: '*.txt', destination: 'copy', parents: true },
    says: 'delete_file copy, recursive',
    undo: ['delete_file', { path: 'copy', recursive: true }],
  },
  {
    tool: 'copy_file',
    args: { glob: '*.txt', destination: 'whole', join: true },
    says: 'delete_file whole',
    undo: ['delete_file', { path: 'whole' }],
  },
  {
    tool: 'create_directory',
    args: { path: 'x/y/z' },
    says: 'delete_file x, recursive',
    undo: ['delete_file', { path: 'x', recursive: true }],
  },
  {
    tool: 'write_file',
    args: { path: 'new', content: 'x' },
    says: 'delete_file',
    undo: ['delete_file', { path: 'new' }],
  },
  {
    tool: 'edit_file',
    args: { path: 'a.txt', edits: [each] },
    says: 'edit_file with oldText and newText exchanged',
    undo: ['edit_file', { path: 'a.txt', edits: [{ oldText: 'uno', newText: 'one', count: 0 }] }],
  },
  {
    tool: 'edit_file',
    args: { glob: '*.txt', edits: [each] },
    says: 'edit_file with oldText and newText exchanged',
    undo: ['edit_file', { glob: '*.txt', edits: [{ oldText: 'uno', newText: 'one', count: 0 }] }],
  },
] as const)(
  'the undo that $tool names after $args restores every file',
  async ({ tool, args, says, undo }) => {
    const { workspace, say } = await openWorkspace();
    using _ = workspace;
    const before = contentOf(workspace.root);
    expect((await say(tool, args)).split('\n').at(-1)).toBe(`Undo: ${says}`);
    expect(contentOf(workspace.root)).not.toEqual(before);
    const [undoing, undone] = undo;
    expect(await say(undoing, undone)).not.toMatch(/^ERROR/);
    expect(contentOf(workspace.root)).toEqual(before);
  },
);

test('the undo of a move into a new directory counts the directories that remain', async () => {
  const { workspace, say } = await openWorkspace();
  using _ = workspace;
  const before = contentOf(workspace.root);
  const said = await say('move_file', { glob: '*.txt', destination: 'x/y', parents: true });
  expect(said.split('\n').at(-1)).toBe(
    'Undo: move_file with source and destination exchanged; 3 created directories remain',
  );
  await say('move_file', { source: 'x/y', glob: '*.txt', destination: '.' });
  expect(contentOf(workspace.root)).toEqual({ ...before, '/x': '', '/x/y': '', '/x/y/sub': '' });
});

test('the mode that write_file changed is restored by the other value', async () => {
  const { workspace, say } = await openWorkspace();
  using _ = workspace;
  const before = contentOf(workspace.root);
  const args = { path: 'run.sh', executable: true };
  expect(await say('write_file', args)).toBe('Mode of run.sh: 640 → 750; executable false restores it');
  await say('write_file', { ...args, executable: false });
  expect(contentOf(workspace.root)).toEqual(before);
  chmodSync(join(workspace.root, 'run.sh'), 0o744);
  expect(await say('write_file', args)).toBe('Mode of run.sh: 744 → 755');
});

test.each([
  { tool: 'delete_file', args: { path: 'a.txt' }, says: /^Permanently deleted a\.txt$/ },
  { tool: 'delete_file', args: { glob: '*.txt', dryRun: true }, says: /3 paths would be, permanently$/ },
  { tool: 'write_file', args: { path: 'a.txt', content: '' }, says: /^Replaced a\.txt \(0 bytes\)$/ },
  { tool: 'move_file', args: { sources: ['a.txt', 'no'], destination: 'sub' }, says: /Moved 1 of 2 paths$/ },
  { tool: 'copy_file', args: { sources: ['a.txt', 'no'], destination: 'sub' }, says: /Copied 1 of 2 paths$/ },
  {
    tool: 'edit_file',
    args: { glob: '*.txt', edits: [{ oldText: 'one', newText: 'three', count: 0 }] },
    says: /^Replaced 3 occurrences in 2 files$/m,
  },
])(
  '$tool names no undo after $args, which cannot be taken back by one call',
  async ({ tool, args, says }) => {
    const { workspace, say } = await openWorkspace();
    using _ = workspace;
    const said = await say(tool, args);
    expect(said).toMatch(says);
    expect(said).not.toContain('Undo');
  },
);
