import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const files = {
  'src/a.ts': 'export function one(\n  first: number,\n): void {\n  two();\n}\n',
  'src/b.tsx': 'one();\r\ntwo();\r\nthree();\r\n',
  'src/c.js': 'one();\n',
  'd.py': 'def one():\n    pass\n',
};

async function answer(tool: string, args: object, contents: Record<string, string> = files): Promise<string> {
  using workspace = new Workspace(contents);
  await using client = await workspace.connect();
  return (await workspace.say(client, tool, { ...args })).join('\n');
}

test('search_text over lines shows every line of a match, by a regular expression or a text', async () => {
  const regex = { text: 'function one\\(.*?\\): void', regex: true, multiline: true };
  const found = 'src/a.ts\n1\texport function one(\n2\t  first: number,\n3\t): void {\n\n3 lines in 1 file';
  expect(await answer('search_text', regex)).toBe(found);
  // A text that has a line break can only be meant so; line breaks of Windows match too.
  expect(await answer('search_text', { text: 'one();\ntwo();' })).toBe(
    'src/b.tsx\n1\tone();\n2\ttwo();\n\n2 lines in 1 file',
  );
  expect(await answer('search_text', { text: 'ONE();\nTWO', ignoreCase: true, context: 1 })).toBe(
    'src/b.tsx\n1\tone();\n2\ttwo();\n3-\tthree();\n\n2 lines in 1 file',
  );
  expect(await answer('search_text', { ...regex, filesOnly: true })).toBe('src/a.ts\n1 file');
  expect(await answer('search_text', { ...regex, countOnly: true })).toBe('3 src/a.ts\n3 lines in 1 file');
  expect(await answer('search_text', { ...regex, multiline: false })).toMatch(/^No match in 4 files/);
  expect(await answer('search_text', { text: '\n\n', multiline: true }, { a: 'x\n\n\ny\n' })).toBe(
    'a\n1\tx\n2\t\n\n2 lines in 1 file',
  );
});

test('the pages of a search over lines contain each line once, also in a long file', async () => {
  const pair = `begin\n${'filler of a line\n'.repeat(7)}end\n\n`;
  const count = 12_000;
  const contents = { 'long.txt': pair.repeat(count) };
  using workspace = new Workspace(contents);
  await using client = await workspace.connect();
  const args = { text: 'begin\\n.*?end', regex: true, multiline: true, limit: 2_000 };
  const whole = await workspace.say(client, 'search_text', { ...args, countOnly: true });
  expect(whole).toEqual([`${9 * count} long.txt\n${9 * count} lines in 1 file`]);
  const numbers: number[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 5; page++) {
    const [said = ''] = await workspace.say(client, 'search_text', { ...args, ...(cursor && { cursor }) });
    numbers.push(...Array.from(said.matchAll(/^(\d+)\t/gm), ([, number]) => Number(number)));
    cursor = JSON.parse(/continue with cursor (".*")$/.exec(said)![1]!) as string;
  }
  const expected = Array.from({ length: 9 * count }, (_, at) => 10 * Math.floor(at / 9) + (at % 9) + 1);
  expect(numbers).toEqual(expected.slice(0, 10_000));
});

test('a text without a match says how many lines match it as a regular expression', async () => {
  expect(await answer('search_text', { text: 'one|two' })).toMatch(
    /^No match in 4 files; as a regex: 6 lines; set ignoreCase/,
  );
  expect(await answer('search_text', { text: 'ONE|TWO', ignoreCase: true, type: 'py' })).toMatch(
    /^No match in 1 file; as a regex: 1 line; set includeIgnored/,
  );
  for (const text of ['on(e', 'nothing.*here', '[', 'one\\('])
    expect(await answer('search_text', { text }), text).toMatch(
      text === 'one\\(' ? /as a regex: 4 lines/ : /^No match in 4 files; set/,
    );
});

test('type selects the files of a language', async () => {
  expect(await answer('search_text', { text: 'one', type: 'ts', filesOnly: true })).toBe(
    'src/a.ts\nsrc/b.tsx\n2 files',
  );
  expect(await answer('search_text', { text: 'one', type: 'typescript', glob: '*.tsx' })).toMatch(
    /^src\/b\.tsx\n1/,
  );
  expect(await answer('search_files', { pattern: '*', type: 'py' })).toBe('d.py\n1 match');
  expect(await answer('search_text', { text: 'one', type: 'go' })).toMatch(
    /^No match in 0 files; no file there is of type go/,
  );
  expect(await answer('search_text', { text: 'one', type: 'pyton' })).toMatch(
    /^ERROR\nUnknown type: "pyton"; the nearest is python; known are ts, js, /,
  );
  expect(await answer('search_files', { pattern: '*', type: '__proto__' })).toContain('Unknown type');
});

test('the times of a search may be ages', async () => {
  using workspace = new Workspace({ 'new.txt': '', 'old.txt': '', 'ancient.txt': '' });
  const hours = 3_600_000;
  for (const [name, age] of [
    ['new.txt', 1],
    ['old.txt', 30],
    ['ancient.txt', 24 * 30],
  ] as const) {
    const time = new Date(Date.now() - age * hours);
    utimesSync(join(workspace.root, name), time, time);
  }
  await using client = await workspace.connect();
  const find = async (args: object) =>
    (await workspace.say(client, 'search_files', { pattern: '*', ...args })).join('\n');
  expect(await find({ modifiedAfter: '12h' })).toBe('new.txt\n1 match');
  expect(await find({ modifiedAfter: '2d' })).toBe('new.txt\nold.txt\n2 matches');
  expect(await find({ modifiedBefore: '90min' })).toBe('ancient.txt\nold.txt\n2 matches');
  expect(await find({ modifiedAfter: '1w', modifiedBefore: '1d' })).toBe('old.txt\n1 match');
  expect(await find({ modifiedAfter: '2 days' })).toBe(
    'ERROR\nInvalid time: "2 days"; expected ISO 8601, such as 2026-11-20 or 2026-11-20T14:45+01:00, or an age: 30min, 12h, 2d, 1w',
  );
});
