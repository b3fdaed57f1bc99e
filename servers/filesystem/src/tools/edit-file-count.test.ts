import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

async function edit(content: string, edits: object[]) {
  using workspace = new Workspace({ 'a.txt': content });
  await using client = await workspace.connect();
  const said = await workspace.say(client, 'edit_file', { path: 'a.txt', edits });
  return { said: said.join('\n'), content: readFileSync(join(workspace.root, 'a.txt'), 'utf8') };
}

test.each([
  { what: 'all occurrences with 0', count: 0, content: 'aa b aa', expected: 'x b x' },
  { what: 'exactly the given number of occurrences', count: 2, content: 'aa b aa', expected: 'x b x' },
  { what: 'occurrences that do not overlap', count: 0, content: 'aaaaa', expected: 'xxa' },
  {
    what: 'an occurrence that differs in white space',
    count: 1,
    oldText: 'a  a',
    content: 'a a\n',
    expected: 'x\n',
  },
])('count replaces $what', async ({ count, content, oldText = 'aa', expected }) => {
  expect((await edit(content, [{ oldText, newText: 'x', count }])).content).toBe(expected);
});

test('count keeps the line endings of the file', async () => {
  const { content } = await edit('a\r\nb\r\na\r\nb\r\n', [{ oldText: 'a\nb', newText: 'c\nd', count: 2 }]);
  expect(content).toBe('c\r\nd\r\nc\r\nd\r\n');
});

test('an edit with another number of occurrences changes nothing, and the error names the lines', async () => {
  const { said, content } = await edit('one\ntwo\none\n', [{ oldText: 'one', newText: 'x', count: 3 }]);
  expect(said).toBe(
    'ERROR\nNothing was changed in "a.txt". oldText occurs 2 times (at line 1, 3), but count is 3; set count to 2, or to 0 for any number',
  );
  expect(content).toBe('one\ntwo\none\n');
});

test('replacing all occurrences is refused when the result would be too large', async () => {
  const { said, content } = await edit('a'.repeat(1_000_000), [
    { oldText: 'a', newText: 'b'.repeat(1_000), count: 0 },
  ]);
  expect(said).toMatch(/The edited file would have more than 67108864 characters$/);
  expect(content).toHaveLength(1_000_000);
});
