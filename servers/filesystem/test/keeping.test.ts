import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Client } from '@mcp/protocol/testing';
import { Workspace } from './workspace.ts';

vi.setConfig({ testTimeout: 120_000 });

async function openWorkspace(maxBytes?: number) {
  const workspace = new Workspace({ 'a.txt': 'one one\n', 'b.txt': 'one\n', 'sub/c.txt': 'three\n' });
  const old = new Date('2020-02-02T02:02:02Z');
  chmodSync(join(workspace.root, 'a.txt'), 0o640);
  chmodSync(join(workspace.root, 'b.txt'), 0o744);
  symlinkSync('a.txt', join(workspace.root, 'link'));
  for (const path of ['a.txt', 'b.txt', 'sub/c.txt']) utimesSync(join(workspace.root, path), old, old);
  const keep = { directory: join(workspace.base, 'keep'), maxBytes };
  const client = await workspace.connect({ keep });
  const say = async (tool: string, args: object) =>
    (await workspace.say(client, tool, { ...args })).join('\n');
  return { workspace, client, say };
}

function snapshotOf(root: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(root, { recursive: true }).map((name) => {
      const path = join(root, String(name));
      const stats = lstatSync(path);
      const mode = (stats.mode & 0o7777).toString(8);
      if (stats.isSymbolicLink()) return [name, `→ ${readlinkSync(path)}`];
      return [name, stats.isFile() ? `${mode} ${stats.mtimeMs} ${readFileSync(path, 'latin1')}` : mode];
    }),
  );
}

/** The id that an answer names last. */
function idOf(said: string): string {
  const [, id] = /\nUndo: restore_file ([0-9a-f]{8})$/.exec(said) ?? [];
  expect(id, said).toBeDefined();
  return id!;
}

const uno = { oldText: 'one', newText: 'uno', count: 0 };

test.each([
  ['write_file', { path: 'a.txt', content: 'new' }],
  ['write_file', { path: 'link', content: 'new' }],
  ['write_file', { path: 'a.txt', content: 'new', executable: true }],
  ['write_file', { path: 'b.txt', executable: true }],
  ['write_file', { path: 'a.txt', content: 'more', append: true }],
  ['edit_file', { path: 'a.txt', edits: [uno] }],
  ['edit_file', { path: 'b.txt', edits: [{ oldText: 'one', newText: 'uno' }] }],
  ['edit_file', { glob: '*.txt', edits: [uno] }],
  [
    'edit_file',
    {
      edits: [
        { ...uno, path: 'a.txt' },
        { path: 'sub/c.txt', oldText: 'three', newText: 'tre' },
      ],
    },
  ],
  ['delete_file', { path: 'a.txt' }],
  ['delete_file', { path: 'link' }],
  ['delete_file', { path: 'sub', recursive: true }],
  ['delete_file', { paths: ['a.txt', 'sub'], recursive: true }],
  ['delete_file', { glob: '*.txt' }],
])('the call that undoes %s of %o restores every byte, and can be undone', async (tool, args) => {
  const { workspace, say } = await openWorkspace();
  using _ = workspace;
  const before = snapshotOf(workspace.root);
  const undo = idOf(await say(tool, args));
  const after = snapshotOf(workspace.root);
  expect(after).not.toEqual(before);
  const redo = idOf(await say('restore_file', { id: undo }));
  expect(snapshotOf(workspace.root)).toEqual(before);
  const again = idOf(await say('restore_file', { id: redo }));
  expect(snapshotOf(workspace.root)).toEqual(after);
  idOf(await say('restore_file', { id: again }));
  expect(snapshotOf(workspace.root)).toEqual(before);
});

test('a deletion that fails for one path names the call that restores the others', async () => {
  const { workspace, say } = await openWorkspace();
  using _ = workspace;
  const before = snapshotOf(workspace.root);
  const said = await say('delete_file', { paths: ['a.txt', 'sub'] });
  expect(said).toContain('Directory not empty');
  expect(said).toContain('Deleted 1 of 2 paths');
  await say('restore_file', { id: idOf(said) });
  expect(snapshotOf(workspace.root)).toEqual(before);
});

test('moving and copying replace nothing, and say how to undo them, as without --keep', async () => {
  const { workspace, say } = await openWorkspace();
  using _ = workspace;
  for (const tool of ['move_file', 'copy_file'])
    expect(await say(tool, { source: 'a.txt', destination: 'b.txt' })).toContain('Already exists');
  expect(await say('move_file', { source: 'a.txt', destination: 'd.txt' })).toContain(
    'Undo: move_file with source and destination exchanged',
  );
});

test('what does not fit is refused before the change, unless it may be lost', async () => {
  const { workspace, say } = await openWorkspace(10_000);
  using _ = workspace;
  workspace.put('big.txt', 'x'.repeat(20_000));
  const before = snapshotOf(workspace.root);
  for (const [tool, args] of [
    ['write_file', { path: 'big.txt', content: '' }],
    ['delete_file', { path: 'big.txt' }],
    ['edit_file', { path: 'big.txt', edits: [{ oldText: 'xx', newText: 'y', count: 0 }] }],
  ] as const)
    expect(await say(tool, args)).toMatch(
      /^ERROR\n(Nothing was changed\. )?Not changed, because the old content cannot be kept: the change has 20000 bytes, and at most 10000 bytes can be kept; keep: false makes the change without a copy for restore_file/,
    );
  expect(snapshotOf(workspace.root)).toEqual(before);
  expect(await say('delete_file', { path: 'big.txt', keep: false })).toBe('Permanently deleted big.txt');
});

test('lists what is kept, and says what is not', async () => {
  const { workspace, say } = await openWorkspace();
  using _ = workspace;
  expect(await say('restore_file', {})).toBe('0 kept changes');
  const id = idOf(await say('delete_file', { paths: ['a.txt', 'b.txt'] }));
  expect(await say('restore_file', {})).toMatch(
    new RegExp(`^${id}  \\d{4}-\\S+Z  delete_file  a\\.txt and 1 more\n1 kept change$`),
  );
  expect(await say('restore_file', { id: 'ffffffff' })).toMatch(
    /^ERROR\nNothing is kept under "ffffffff": it was restored, is older than 7 days, or made room for newer changes$/,
  );
  expect(await say('delete_file', { path: 'sub/c.txt', dryRun: true })).toMatch(/1 path would be$/);
});

async function descriptions(client: Client): Promise<Record<string, string>> {
  const tools = await client.listTools();
  return Object.fromEntries(tools.map(({ name, description }) => [name, description ?? '']));
}

test('says before a change what cannot be undone', async () => {
  const { workspace, client } = await openWorkspace();
  using _ = workspace;
  const kept = await descriptions(client);
  expect(kept['delete_file']).toContain('restore_file brings it back.');
  const lost = await descriptions(await workspace.connect());
  expect(lost['delete_file']).toContain('Cannot be undone.');
  expect(lost['write_file']).toContain('Replaced content is lost.');
  expect(lost['restore_file']).toBeUndefined();
});
