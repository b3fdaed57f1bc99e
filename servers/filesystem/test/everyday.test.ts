import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');

test('a read, the file info, a dry run and a conflict return the SHA-256 for expectedHash', async () => {
  using workspace = new Workspace({ 'a.txt': 'one' });
  await using client = await workspace.connect();
  const read = await workspace.say(client, 'read_text_file', { path: 'a.txt', hash: true });
  expect(read).toEqual(['one', `SHA-256: ${sha256('one')}`]);
  const [info] = await workspace.say(client, 'get_file_info', { path: 'a.txt', hash: true });
  expect(info).toContain(`sha256: ${sha256('one')}`);
  const edits = [{ oldText: 'one', newText: 'two' }];
  const [dry] = await workspace.say(client, 'edit_file', { path: 'a.txt', edits, dryRun: true });
  expect(dry).toContain(sha256('one'));
  const expectedHash = sha256('older');
  for (const [tool, args] of [
    ['write_file', { content: 'two' }],
    ['edit_file', { edits }],
  ] as const) {
    const conflict = await workspace.say(client, tool, { path: 'a.txt', expectedHash, ...args });
    expect(conflict, tool).toEqual(['ERROR', expect.stringContaining(sha256('one'))]);
  }
});

test.each([
  ['list_directory', { path: 'a' }],
  ['list_directory_with_sizes', { path: 'a' }],
  ['directory_tree', { path: '.' }],
  ['search_files', { path: '.', pattern: '*.txt' }],
  ['search_text', { path: '.', text: 'needle' }],
  ['search_text', { path: '.', text: 'needle', countOnly: true }],
])('the result of %s %j contains a name once', async (tool, args) => {
  using workspace = new Workspace({ 'a/distinct.txt': 'needle' });
  await using client = await workspace.connect();
  const result = await client.callTool(tool, args);
  expect(JSON.stringify(result).split('distinct.txt')).toHaveLength(2);
});

describe('errors that name the next step', () => {
  test.each([
    { tool: 'write_file', args: { path: 'no/a.txt', content: '' }, step: /create this directory first/ },
    {
      tool: 'move_file',
      args: { source: 'a.txt', destination: 'no/a.txt' },
      step: /create this directory first/,
    },
    {
      tool: 'copy_file',
      args: { source: 'a.txt', destination: 'no/a.txt' },
      step: /create this directory first/,
    },
    { tool: 'move_file', args: { source: 'a.txt', destination: 'sub/' }, step: /"sub\/a\.txt"/ },
    { tool: 'move_file', args: { source: 'a.txt', destination: 'sub' }, step: /"sub\/a\.txt"/ },
    { tool: 'delete_file', args: { path: 'sub' }, step: /recursive/ },
  ])('the error of $tool with $args names the next step', async ({ tool, args, step }) => {
    using workspace = new Workspace({ 'a.txt': '', 'sub/b.txt': '' });
    await using client = await workspace.connect();
    expect(await workspace.say(client, tool, args)).toEqual(['ERROR', expect.stringMatching(step)]);
  });
});

test('a read without limits returns 64 KiB of whole lines and the offset to continue', async () => {
  const lines = Array.from({ length: 20_000 }, (_, line) => `line ${line + 1}`);
  using workspace = new Workspace({ 'a.txt': lines.join('\n') });
  await using client = await workspace.connect();
  const [text = '', note = ''] = await workspace.say(client, 'read_text_file', { path: 'a.txt' });
  expect(text.length).toBeLessThanOrEqual(64 * 1024);
  const shown = text.split('\n').length;
  expect(text).toBe(lines.slice(0, shown).join('\n'));
  expect(note).toBe(
    `These are lines 1 to ${shown}; the file has ${lines.join('\n').length} bytes. Continue with offset ${shown + 1}.`,
  );
  const [rest = ''] = await workspace.say(client, 'read_text_file', {
    path: 'a.txt',
    offset: shown + 1,
    limit: 1,
  });
  expect(rest).toBe(`${shown + 1}\tline ${shown + 1}`);
});

test('deleting a directory with one file counts one entry in it', async () => {
  using workspace = new Workspace({ 'dir/a.txt': '' });
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'delete_file', { path: 'dir', recursive: true })).toEqual([
    'Permanently deleted dir and 1 entry in it',
  ]);
});

test('what is created in an append-only directory was not overwritten, and cannot be deleted', async (context) => {
  using workspace = new Workspace({ 'dir/a.txt': 'old' });
  const directory = join(workspace.root, 'dir');
  try {
    execFileSync('chattr', ['+a', directory], { stdio: 'ignore' });
  } catch {
    context.skip('Requires root and a file system with the append-only attribute');
  }
  try {
    await using client = await workspace.connect();
    const write = (name: string, append: boolean) =>
      workspace.say(client, 'write_file', { path: `dir/${name}`, content: 'c', append });
    expect(await write('b.txt', false)).toEqual(['Created dir/b.txt (1 bytes)']);
    expect(await write('c.txt', true)).toEqual(['Created dir/c.txt (1 bytes)']);
  } finally {
    execFileSync('chattr', ['-a', directory]);
  }
});

test('a name with a line break forges no line in the answers of tools and prompts', async () => {
  using workspace = new Workspace({ 'a\nsize: 7': 'q' });
  await using client = await workspace.connect();
  const path = 'a\nsize: 7';
  const said: string[] = [];
  for (const [tool, args] of [
    ['get_file_info', { path }],
    ['write_file', { path, content: 'q' }],
    ['edit_file', { path, edits: [{ oldText: 'q', newText: 'q' }] }],
    ['copy_file', { source: path, destination: 'b\nc' }],
    ['move_file', { source: 'b\nc', destination: 'd\ne' }],
    ['delete_file', { path: 'd\ne' }],
    ['create_directory', { path: 'f\ng' }],
    ['create_directory', { path: 'f\ng' }],
  ] as const)
    said.push((await workspace.say(client, tool, args)).join('').split('\n')[0]!);
  expect(said).toEqual([
    'path: /root/a\\nsize: 7',
    'Replaced a\\nsize: 7 (1 bytes)',
    'No change: a\\nsize: 7 already has this content',
    'Copied a\\nsize: 7 to b\\nc',
    'Moved b\\nc to d\\ne',
    'Permanently deleted d\\ne',
    'Created f\\ng',
    'Already exists: f\\ng',
  ]);
  for (const [prompt, args] of [
    ['explain_file', { path }],
    ['review_file', { path }],
    ['summarize_directory', { path: 'f\ng' }],
  ] as const) {
    const { messages } = await client.getPrompt(prompt, args);
    expect(JSON.stringify(messages[0])).toMatch(/\/root\/(a\\\\nsize|f\\\\ng)/);
  }
});

test('edits in an append-only directory leave one temporary file', async (context) => {
  using workspace = new Workspace({ 'dir/a': 'old', 'dir/b': 'old' });
  await using client = await workspace.connect();
  const directory = join(workspace.root, 'dir');
  try {
    execFileSync('chattr', ['+a', directory], { stdio: 'ignore' });
  } catch {
    context.skip('Requires root and a file system with the append-only attribute');
  }
  try {
    for (const [oldText, newText] of [
      ['old', 'new'],
      ['new', 'newer'],
    ])
      await workspace.say(client, 'edit_file', { path: 'dir', glob: '*', edits: [{ oldText, newText }] });
    expect(workspace.read('dir/b')).toBe('newer');
    expect(readdirSync(directory)).toHaveLength(3);
  } finally {
    execFileSync('chattr', ['-a', directory]);
  }
});
