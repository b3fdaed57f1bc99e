import { linkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

async function openWorkspace() {
  const workspace = new Workspace({ 'o.txt': 'one\n', 'p.txt': '' });
  const client = await workspace.connect({ keep: { directory: join(workspace.base, 'keep') } });
  const say = async (tool: string, args: object) =>
    (await workspace.say(client, tool, { ...args })).join('\n');
  return { workspace, client, say };
}

const idOf = (said: string) => /restore_file ([0-9a-f]{8})$/.exec(said)?.[1] ?? said;

test('an append to a file with another hard link says what its undo does to that link', async () => {
  const { workspace, client, say } = await openWorkspace();
  using _ = workspace;
  await using __ = client;
  const note =
    'Other hard links, which have the new content too, and after restore_file keep it and are separate: 1';
  const append = { content: 'two', append: true };
  expect(await say('write_file', { path: 'o.txt', ...append })).not.toContain('hard links');
  linkSync(join(workspace.root, 'o.txt'), join(workspace.root, 'h2'));
  expect(await say('write_file', { path: 'o.txt', ...append, keep: false })).not.toContain('hard links');
  const said = await say('write_file', { path: 'o.txt', ...append });
  expect(said).toContain(`\n${note}\nUndo: restore_file `);
  await say('restore_file', { id: idOf(said) });
  expect(await say('read_text_file', { path: 'o.txt' })).toContain('one\ntwotwo');
  expect(await say('read_text_file', { path: 'h2' })).toContain('one\ntwotwotwo');
  expect(statSync(join(workspace.root, 'h2')).nlink).toBe(1);
});

test('restoring an older change names the newer ones that it undoes', async () => {
  const { workspace, client, say } = await openWorkspace();
  using _ = workspace;
  await using __ = client;
  const change = async (path: string, content: string) => idOf(await say('write_file', { path, content }));
  const first = await change('o.txt', 'two\n');
  const second = await change('o.txt', 'three\n');
  await change('p.txt', 'other\n');
  const said = await say('restore_file', { id: first });
  expect(said).toMatch(
    new RegExp(
      `^Restored o\\.txt\\nThis undoes the newer change ${second} \\(write_file\\), too; the present content is kept under the id below\\nUndo: restore_file \\w+$`,
    ),
  );
  expect(await say('read_text_file', { path: 'o.txt' })).toBe('one\n');
  await say('restore_file', { id: idOf(said) });
  expect(await say('read_text_file', { path: 'o.txt' })).toBe('three\n');
  expect(await say('restore_file', { id: second })).not.toContain('newer');
});
