import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const files = { 'a.txt': 'a', 'b.txt': 'b', 'sub/c.txt': 'c', 'to/b.txt': 'kept' };

async function openWorkspace() {
  const workspace = new Workspace(files);
  return { workspace, client: await workspace.connect() };
}

test('F127: delete_file deletes several paths in one call and returns a line for each', async () => {
  const { workspace, client } = await openWorkspace();
  using _ = workspace;
  expect(await workspace.say(client, 'delete_file', { paths: ['a.txt', 'sub'], recursive: true })).toEqual([
    'Deleted /root/a.txt\nDeleted /root/sub and 1 entry in it',
  ]);
  expect(readdirSync(workspace.root).sort()).toEqual(['b.txt', 'to']);
});

test('F127: a path that cannot be deleted does not prevent the others, and the result is an error', async () => {
  const { workspace, client } = await openWorkspace();
  using _ = workspace;
  const paths = ['missing', '../outside/secret.txt', 'sub', 'a.txt'];
  expect(await workspace.say(client, 'delete_file', { paths })).toEqual([
    'ERROR',
    [
      'Error for missing: No such file: "missing"',
      'Error for ../outside/secret.txt: Outside the allowed directories: "../outside/secret.txt"',
      'Error for sub: Directory not empty; set recursive to delete its content too: "sub"',
      'Deleted /root/a.txt',
      '1 of 4 done',
    ].join('\n'),
  ]);
  expect(existsSync(join(workspace.outside, 'secret.txt'))).toBe(true);
});

test.each([
  { tool: 'move_file', verb: 'Moved', remains: false },
  { tool: 'copy_file', verb: 'Copied', remains: true },
])(
  'F127: $tool puts several sources into a directory and overwrites nothing',
  async ({ tool, verb, remains }) => {
    const { workspace, client } = await openWorkspace();
    using _ = workspace;
    const args = { sources: ['a.txt', 'b.txt', 'sub/c.txt'], destination: 'to' };
    const [error, text = ''] = await workspace.say(client, tool, args);
    expect(error).toBe('ERROR');
    expect(text.split('\n')).toEqual([
      `${verb} /root/a.txt to /root/to/a.txt`,
      'Error for b.txt: Already exists: "to/b.txt"',
      `${verb} /root/sub/c.txt to /root/to/c.txt`,
      '2 of 3 done',
    ]);
    expect(readFileSync(join(workspace.root, 'to/b.txt'), 'utf8')).toBe('kept');
    expect(existsSync(join(workspace.root, 'a.txt'))).toBe(remains);
    expect(existsSync(join(workspace.root, 'b.txt'))).toBe(true);
  },
);

test.each([
  { tool: 'delete_file', args: {}, message: 'Give either path or paths' },
  { tool: 'delete_file', args: { path: 'a.txt', paths: ['b.txt'] }, message: 'Give either path or paths' },
  { tool: 'move_file', args: { destination: 'to' }, message: 'Give either source or sources' },
  {
    tool: 'copy_file',
    args: { sources: ['..'], destination: 'to' },
    message: 'A source needs a name to keep: ".."',
  },
  {
    tool: 'move_file',
    args: { sources: ['a.txt'], destination: 'missing' },
    message: 'No such directory: "missing"; create it first with create_directory',
  },
])('F127: $tool refuses $args and changes nothing', async ({ tool, args, message }) => {
  const { workspace, client } = await openWorkspace();
  using _ = workspace;
  expect(await workspace.say(client, tool, args)).toEqual(['ERROR', message]);
  for (const [path, content] of Object.entries(files))
    expect(readFileSync(join(workspace.root, path), 'utf8')).toBe(content);
});
