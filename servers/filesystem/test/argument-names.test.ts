import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const files = { 'a.txt': 'one\ntwo one\n', 'b.txt': 'three\n', 'sub/c.ts': 'const one = 1;\n' };

test.each([
  ['read_text_file', { file_path: 'b.txt' }, { path: 'b.txt' }],
  ['read_text_file', { filePath: 'b.txt', offset: 1 }, { path: 'b.txt', offset: 1 }],
  ['search_text', { pattern: 'o[n]e', '-n': true, output_mode: 'content' }, { text: 'o[n]e', regex: true }],
  [
    'search_text',
    { pattern: 'ONE', '-i': true, '-C': 1 },
    { text: 'ONE', regex: true, ignoreCase: true, context: 1 },
  ],
  ['search_text', { pattern: 'one', '-A': 2, '-B': 1 }, { text: 'one', regex: true, context: 2 }],
  [
    'search_text',
    { pattern: 'one', output_mode: 'files_with_matches' },
    { text: 'one', regex: true, filesOnly: true },
  ],
  [
    'search_text',
    { pattern: 'one', output_mode: 'count', include: '*.ts' },
    { text: 'one', regex: true, countOnly: true, glob: '*.ts' },
  ],
  ['search_files', { glob: '*.ts' }, { pattern: '*.ts' }],
  ['write_file', { file_path: 'n', contents: 'x' }, { path: 'n', content: 'x' }],
  [
    'edit_file',
    { file_path: 'a.txt', old_string: 'two', new_string: 'deux' },
    { path: 'a.txt', edits: [{ oldText: 'two', newText: 'deux' }] },
  ],
  [
    'edit_file',
    { path: 'a.txt', old_str: 'one', new_str: 'un', replace_all: true },
    { path: 'a.txt', edits: [{ oldText: 'one', newText: 'un', count: 0 }] },
  ],
  [
    'edit_file',
    { path: 'a.txt', edits: [{ oldString: 'two', newString: 'deux', replaceAll: false }] },
    { path: 'a.txt', edits: [{ oldText: 'two', newText: 'deux' }] },
  ],
  [
    'edit_file',
    {
      files: [
        { path: 'a.txt', edits: [{ old_string: 'two', new_string: 'deux' }] },
        { path: 'b.txt', edits: [{ oldText: 'three', newText: 'trois' }] },
      ],
    },
    {
      edits: [
        { path: 'a.txt', oldText: 'two', newText: 'deux' },
        { path: 'b.txt', oldText: 'three', newText: 'trois' },
      ],
    },
  ],
])('%s understands %o', async (tool, unlisted, listed) => {
  using one = new Workspace(files);
  using other = new Workspace(files);
  const said = await one.say(await one.connect(), tool, unlisted);
  expect(said).toEqual(await other.say(await other.connect(), tool, listed));
  expect(said[0]).not.toBe('ERROR');
});

test.each([
  [
    'edit_file',
    { path: 'a.txt', edits: [{ oldText: 'two', newText: 'x', old_string: 'one' }] },
    'old_string',
  ],
  [
    'edit_file',
    { path: 'a.txt', edits: [{ startLine: 1, newText: 'x', old_string: 'zzz', oldText: 'two' }] },
    'old_string',
  ],
  [
    'edit_file',
    { path: 'a.txt', edits: [{ oldText: 'two', newText: 'x', replace_all: 'yes' }] },
    'replace_all',
  ],
  [
    'edit_file',
    { path: 'a.txt', edits: [{ oldText: 'two', newText: 'x', count: 1, replace_all: true }] },
    'replace_all',
  ],
  ['edit_file', { path: 'a.txt', edits: [{ oldText: 'two', newText: 'x', comment: 'why' }] }, 'comment'],
  ['search_text', { pattern: 'one', output_mode: 'json' }, 'output_mode'],
  ['search_text', { pattern: 'one', text: 'two' }, 'pattern'],
])('%s refuses %o, which has no single reading, by the name that was given', async (tool, args, name) => {
  using workspace = new Workspace(files);
  const [kind, said] = await workspace.say(await workspace.connect(), tool, args);
  expect(kind).toBe('ERROR');
  expect(said).toContain(`"${name}"`);
  expect(workspace.read('a.txt')).toBe(files['a.txt']);
});

test('different edits of several files are made all or none', async () => {
  using workspace = new Workspace(files);
  const client = await workspace.connect();
  const first = { path: 'a.txt', oldText: 'two', newText: 'deux' };
  const missing = { path: 'b.txt', oldText: 'none', newText: 'x' };
  expect(await workspace.say(client, 'edit_file', { edits: [first, missing] })).toEqual([
    'ERROR',
    expect.stringMatching(/^Nothing was changed\. "b\.txt": .*oldText does not occur/s),
  ]);
  expect(workspace.read('a.txt')).toBe(files['a.txt']);
  const second = { oldText: 'three', newText: 'trois' };
  const third = { path: 'a.txt', oldText: 'deux', newText: 'zwei' };
  expect(await workspace.say(client, 'edit_file', { path: 'b.txt', edits: [first, second, third] })).toEqual([
    '2 a.txt\n1 b.txt\nReplaced 3 occurrences in 2 files',
  ]);
  expect([workspace.read('a.txt'), workspace.read('b.txt')]).toEqual(['one\nzwei one\n', 'trois\n']);
  for (const [args, says] of [
    [{ glob: '*', edits: [first] }, 'Give each edit a path, or give paths or glob for all edits, not both'],
    [{ edits: [first, second] }, 'Give each edit a path, or give "path" for the edits that have none'],
    [
      {
        edits: [
          { ...third, oldText: 'zwei' },
          { ...second, path: './a.txt' },
        ],
      },
      'Two paths lead to the same file',
    ],
  ] as const)
    expect((await workspace.say(client, 'edit_file', args))[1]).toContain(says);
});
