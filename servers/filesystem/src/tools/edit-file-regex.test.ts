import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

/** For tests that must end before a time limit of the server: a busy machine may be too slow once. */
const busy = { retry: 2 };

async function edit(content: string, ...edits: object[]) {
  using workspace = new Workspace({ 'a.txt': content });
  await using client = await workspace.connect();
  const said = await workspace.say(client, 'edit_file', { path: 'a.txt', edits });
  return { said: said.join('\n'), content: readFileSync(join(workspace.root, 'a.txt'), 'utf8') };
}

test.each([
  { oldText: '(\\w+)@(\\w+)', newText: '$2 at $1', count: 0, content: 'a@b c@d', expected: 'b at a d at c' },
  { oldText: '(?<key>\\w+)=', newText: '$<key>: $$', count: 1, content: 'a=1', expected: 'a: $1' },
  { oldText: '^x', newText: 'y', count: 0, content: 'x\r\nax\r\nx', expected: 'y\r\nax\r\ny' },
  { oldText: ';$', newText: '', count: 0, content: 'a;\r\nb;\r\n', expected: 'a\r\nb\r\n' },
  { oldText: 'a\\s+b', newText: 'a\nb', count: 1, content: 'a\r\n\r\n b', expected: 'a\r\nb' },
  { oldText: '\\r\\n', newText: '\n', count: 0, content: 'a\r\nb\r\n', expected: 'a\nb\n' },
  { oldText: '\\p{Lu}', newText: '_', count: 0, content: 'aÉB', expected: 'a__' },
  { oldText: 'b*', newText: '-', count: 0, content: 'abc', expected: '-a--c-' },
])('edit_file with regex replaces $oldText in $content', async ({ content, expected, ...one }) => {
  expect((await edit(content, { ...one, regex: true })).content).toBe(expected);
});

test('edit_file converts line endings with a text of \\r\\n', async () => {
  const { content } = await edit('a\r\nb\r\n', { oldText: '\r\n', newText: '\n', count: 0 });
  expect(content).toBe('a\nb\n');
});

test.each([
  {
    oldText: 'a',
    count: 2,
    reason:
      'The regular expression matches 3 times (at line 1, 2), but count is 2; set count to 3, or to 0 for any number',
  },
  {
    oldText: 'a',
    reason:
      'The regular expression matches 3 times (at line 1, 2), but count is 1; set count to 3, or to 0 for any number',
  },
  { oldText: 'z', reason: 'The regular expression does not match: "z"' },
  { oldText: '(', reason: 'Invalid regular expression (Unterminated group): "("' },
])('edit_file with regex refuses $oldText with count $count', async ({ reason, ...one }) => {
  const { said, content } = await edit('a\naa', { ...one, newText: 'x', regex: true });
  expect(said).toBe(`ERROR\nNothing was changed in "a.txt". ${reason}`);
  expect(content).toBe('a\naa');
});

// A busy machine may take longer to read a file than the expression may run; a blocked server does so always.
test(
  'a regular expression that backtracks without end is stopped while the server responds',
  busy,
  async () => {
    using workspace = new Workspace({ 'a.txt': 'a'.repeat(100_000), 'b.txt': 'b' });
    await using client = await workspace.connect();
    const edits = [{ oldText: '(a|a)*b', newText: 'x', regex: true, count: 0 }];
    let isDone = false;
    const evil = workspace.say(client, 'edit_file', { glob: '*.txt', edits }).finally(() => (isDone = true));
    await once(process, 'worker');
    expect(await workspace.say(client, 'read_text_file', { path: 'b.txt' })).toEqual(['b']);
    expect(isDone).toBe(false);
    expect(await evil).toEqual([
      'ERROR',
      'Nothing was changed. "a.txt": The regular expression took more than 2 seconds for one file; simplify it: "(a|a)*b"',
    ]);
    expect(readFileSync(join(workspace.root, 'b.txt'), 'utf8')).toBe('b');
  },
);

// Without the cancellation, the expression would always run for 2 seconds.
test('cancelling an edit ends its regular expression and changes nothing', busy, async () => {
  const content = 'a'.repeat(100_000);
  using workspace = new Workspace({ 'a.txt': content });
  await using client = await workspace.connect();
  const edits = [{ oldText: '(a|a)*b', newText: 'x', regex: true }];
  const stop = new AbortController();
  const before = performance.now();
  const editing = client.callTool('edit_file', { path: 'a.txt', edits }, { signal: stop.signal });
  const [worker] = (await once(process, 'worker')) as [Worker];
  const exited = once(worker, 'exit');
  stop.abort(new Error('Enough'));
  await expect(editing).rejects.toThrow('Enough');
  await exited;
  expect(performance.now() - before).toBeLessThan(2_000);
  expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe(content);
});

test.each(["$'", 'x'.repeat(200)])(
  'a replacement %j that would fill the memory is refused',
  async (newText) => {
    const { said } = await edit('a'.repeat(400_000), { oldText: 'a', newText, regex: true, count: 0 });
    expect(said).toMatch(/The edited file would have more than 67108864 characters$/);
  },
);

test.each([
  { what: 'replaces whole lines', startLine: 2, endLine: 3, newText: 'X', expected: 'a\r\nX\r\nd' },
  { what: 'replaces one line', startLine: 2, newText: 'X\nY', expected: 'a\r\nX\r\nY\r\nc\r\nd' },
  { what: 'deletes lines', startLine: 1, endLine: 2, newText: '', expected: 'c\r\nd' },
  {
    what: 'inserts before a line',
    startLine: 1,
    endLine: 0,
    newText: 'X',
    expected: 'X\r\na\r\nb\r\nc\r\nd',
  },
  { what: 'replaces an unended last line', startLine: 4, newText: 'X', expected: 'a\r\nb\r\nc\r\nX' },
  {
    what: 'inserts after the last line',
    startLine: 5,
    endLine: 4,
    newText: 'X',
    expected: 'a\r\nb\r\nc\r\nd\r\nX',
  },
  {
    what: 'replaces a text only in a range',
    startLine: 2,
    endLine: 4,
    oldText: '[a-d]',
    regex: true,
    count: 0,
    newText: 'X',
    expected: 'a\r\nX\r\nX\r\nX',
  },
])('an edit with startLine and endLine $what', async ({ expected, what, ...one }) => {
  expect((await edit('a\r\nb\r\nc\r\nd', one)).content, what).toBe(expected);
});

test.each([
  { startLine: 6, reason: 'Line 6 does not exist: the file has 4 lines' },
  { startLine: 3, endLine: 9, reason: 'Lines 3 to 9 do not exist: the file has 4 lines' },
  {
    startLine: 4,
    endLine: 2,
    reason: 'Invalid range of lines: 4 to 2; to insert before line 4, give endLine 3',
  },
  { startLine: 2, endLine: 3, oldText: 'a', reason: 'oldText does not occur' },
  { reason: 'The edit has neither oldText nor startLine; give the text or the lines to replace' },
])('an edit of lines is refused: $reason', async ({ reason, ...one }) => {
  const { said, content } = await edit('a\nb\nc\nd\n', { ...one, newText: 'X' });
  expect(said).toMatch(`ERROR\nNothing was changed in "a.txt". ${reason}`);
  expect(content).toBe('a\nb\nc\nd\n');
});

test.each([
  { file: 'a\nb\n', oldText: '^', newText: '> ', expected: '> a\n> b\n' },
  { file: 'a\nb', oldText: '^', newText: '> ', expected: '> a\n> b' },
  { file: 'a\n\nb\n', oldText: '$', newText: ';', expected: 'a;\n;\nb;\n' },
  { file: 'a\r\nb\r\n', oldText: '^', newText: '> ', expected: '> a\r\n> b\r\n' },
  { file: 'a\r\nb\r\n', oldText: '$', newText: ';', expected: 'a;\r\nb;\r\n' },
  { file: 'a\r\nb\nc\n', oldText: '^', newText: '> ', expected: '> a\r\n> b\n> c\n' },
  { file: 'a\r\nb\nc\n', oldText: '^(?<n>)', newText: '$1$<n>[$&]$$ ', expected: '[]$ a\r\n[]$ b\n[]$ c\n' },
  { file: 'a  \r\nb\r\n', oldText: '\\s+$', newText: '', expected: 'a\r\nb' },
  { file: 'a\r\nb\r\n', oldText: 'a\\nb', newText: 'x\ny\nz', expected: 'x\r\ny\r\nz\r\n' },
  { file: 'a\r\nb\r\nc\r\n', oldText: 'a\\r?\\nb', newText: 'x\ny', expected: 'x\r\ny\r\nc\r\n' },
  { file: 'a\r\nb\r\nc\r\n', oldText: '(a)\\r\\n', newText: '$1\n!\n', expected: 'a\r\n!\r\nb\r\nc\r\n' },
  { file: 'a\r\nb\r\n', oldText: '\\r\\n', newText: '\n', expected: 'a\nb\n' },
  { file: 'a\r\nb\r\n', oldText: '\\r?\\n', newText: '\n', expected: 'a\nb\n' },
  { file: 'a\nb\n', oldText: '\\n', newText: '\r\n', expected: 'a\r\nb\r\n' },
  { file: 'a\n', oldText: '$(?![^])', newText: 'end', expected: 'a\nend' },
])(
  'edit_file with regex keeps lines and line breaks: $oldText in $file',
  async ({ file, oldText, newText, expected }) => {
    using workspace = new Workspace({ 'a.txt': file });
    await using client = await workspace.connect();
    const edits = [{ oldText, newText, regex: true, count: 0 }];
    await workspace.say(client, 'edit_file', { path: 'a.txt', edits });
    expect(workspace.read('a.txt')).toBe(expected);
  },
);
