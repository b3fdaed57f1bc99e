import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { Workspace } from './workspace.ts';

vi.setConfig({ testTimeout: 120_000 });

const most = 40_000;
const longName = 'n'.repeat(180);

/** A workspace in which every answer could be long. */
function long() {
  const workspace = new Workspace({
    'lines.txt': Array.from({ length: 4_000 }, (_, at) => `${'x'.repeat(120)} ${at}\n`).join(''),
    'other.txt': Array.from({ length: 4_000 }, (_, at) => `${'y'.repeat(120)} ${at}\n`).join(''),
    'wide.txt': '日'.repeat(70_000),
  });
  for (const directory of ['many', 'copies', 'changed']) mkdirSync(join(workspace.root, directory));
  for (let at = 0; at < 400; at++) {
    workspace.put(`many/${longName}${at}.txt`, `x ${at}\nfoo(1)\n`);
    workspace.put(`copies/${longName}${at}.txt`, 'same content\n');
    workspace.put(`changed/${longName}${at}.txt`, `changed ${at}\n`);
    mkdirSync(join(workspace.root, `many/${at}/${longName}`), { recursive: true });
  }
  return workspace;
}

/** The workspace of the calls that change nothing that another one looks at. */
const shared = long();
afterAll(() => shared[Symbol.dispose]());

const files = Array.from({ length: 400 }, (_, at) => `many/${longName}${at}.txt`);
const missing = Array.from({ length: 400 }, (_, at) => `many/missing-${longName}${at}`);

test.each([
  ['read_text_file', { path: 'lines.txt' }, /Continue with offset \d+\.$/],
  ['read_text_file', { path: 'lines.txt', offset: 1 }, /continue with offset \d+\.$/],
  ['read_text_file', { path: 'wide.txt' }, /the file has 210000 bytes. read_text_file with limit 1 shows/],
  ['read_file', { path: 'lines.txt', offset: 3_000 }, /continue with offset \d+\.$/],
  ['read_multiple_files', { glob: '*.txt' }, /continue with skip \d+$/],
  ['read_multiple_files', { paths: ['lines.txt', 'other.txt'], limit: 4_000 }, /continue with skip 1$/],
  ['read_multiple_files', { paths: missing }, /continue with skip \d+$/],
  ['list_directory', { path: 'many' }, /800 entries in all; continue with cursor ".+"$/],
  ['list_directory_with_sizes', { path: 'many' }, /800 entries in all; continue with skip \d+\n/],
  ['directory_tree', {}, /^Incomplete: \d+ entries shown; … marks omissions; set limit to show more$/m],
  ['search_files', { pattern: '*' }, /Matches 1 to \d+ of \d+; continue with skip \d+$/],
  ['search_files', { pattern: '*', duplicates: true }, /… \d+ more\n\n1 group; 400 files/],
  ['search_text', { text: 'x' }, /Lines 1 to \d+ of \d+ lines in 401 files; continue with cursor ".+"$/],
  ['search_text', { text: 'x', context: 20 }, /continue with cursor ".+"$/],
  ['search_text', { text: 'x', filesOnly: true }, /Files 1 to \d+ of 401; continue with cursor ".+"$/],
  ['search_text', { text: 'x', countOnly: true }, /continue with cursor ".+"$/],
  ['get_file_info', { paths: files }, /^Paths 1 to \d+ of 400; name the others in another call$/m],
  ['get_file_info', { paths: missing }, /^Paths 1 to \d+ of 400; name the others in another call$/m],
  ['get_file_info', { path: 'lines.txt', compareWith: 'other.txt' }, /; a larger maxDiff shows more$/m],
  ['get_file_info', { path: 'many', compareWith: 'copies' }, /… \d+ more\n/],
  ['edit_file', { glob: 'many/**', dryRun: true, edits: [{ oldText: 'x', newText: 'y' }] }, /… \d+ more/],
  ['delete_file', { path: '.', glob: '*.txt', dryRun: true }, /… \d+ more\n/],
  ['delete_file', { paths: missing }, /… \d+ more\n/],
  ['delete_file', { path: '.', glob: '**', recursive: true, dryRun: true }, /\d+ paths? would be/],
  [
    'edit_file',
    { path: 'lines.txt', edits: [{ newText: 'a\n', startLine: 1, endLine: 4_000 }] },
    /; a larger maxDiff shows more$/m,
  ],
  ['copy_file', { source: 'many', glob: '*.txt', destination: 'copied', parents: true }, /… \d+ more\n/],
  ['move_file', { source: 'many', glob: '*.txt', destination: 'moved', parents: true }, /… \d+ more\n/],
] as const)('%s of %j has at most 40,000 characters, and says how to go on', async (tool, args, next) => {
  await using client = await shared.connect();
  const said = (await shared.say(client, tool, { ...args })).join('\n');
  expect(said.length).toBeLessThanOrEqual(most);
  expect(said.slice(-600)).toMatch(next);
});

test('the pages of a search together have each match once, and those of a list each entry', async () => {
  using workspace = long();
  await using client = await workspace.connect();
  for (const [tool, args, line, count] of [
    ['search_text', { text: 'x', context: 1 }, /^\d+\t/, 4_400],
    ['search_text', { text: 'x', filesOnly: true }, /\.txt$/, 401],
    ['list_directory', { path: 'many' }, /^\[/, 800],
    ['list_directory_with_sizes', { path: 'many' }, /^\[/, 800],
    ['search_files', { pattern: '*' }, /^(?!Matches)/, 2_006],
  ] as const) {
    const seen: string[] = [];
    for (let page: object | undefined = {}; page !== undefined;) {
      const said: string = (await workspace.say(client, tool, { ...args, ...page })).join('\n');
      const lines = said.split('\n');
      let file = '';
      for (const each of lines) {
        if (each.endsWith('.txt')) file = each;
        if (line.test(each)) seen.push(tool === 'search_text' ? `${file} ${each}` : each);
      }
      const [, name, value]: readonly string[] = /continue with (cursor|skip) (.+?)$/m.exec(said) ?? [];
      page = name === undefined ? undefined : { [name]: JSON.parse(value!) as unknown };
    }
    expect(new Set(seen).size, `${tool} ${JSON.stringify(args)}`).toBe(count);
    expect(seen).toHaveLength(count);
  }
});

test('the tools that return more on request declare it, and do', async () => {
  using workspace = long();
  writeFileSync(join(workspace.root, 'a.txt'), '');
  await using client = await workspace.connect();
  const declared = (await client.listTools()).filter(({ _meta }) => _meta !== undefined);
  const greatest = { 'anthropic/maxResultSizeChars': 1_048_576 };
  expect(Object.fromEntries(declared.map(({ name, _meta }) => [name, _meta]))).toEqual({
    read_text_file: greatest,
    read_file: greatest,
    directory_tree: greatest,
    search_files: greatest,
    search_text: greatest,
    get_file_info: greatest,
    edit_file: greatest,
  });
  for (const [tool, args] of [
    ['read_text_file', { path: 'lines.txt', limit: 4_000 }],
    ['read_file', { path: 'lines.txt', tail: 4_000 }],
    ['directory_tree', { limit: 2_000 }],
    ['search_files', { pattern: '*', limit: 1_000 }],
    ['search_text', { text: 'x', limit: 1_000 }],
    ['get_file_info', { path: 'lines.txt', compareWith: 'other.txt', maxDiff: 100_000 }],
    [
      'edit_file',
      { path: 'lines.txt', maxDiff: 100_000, edits: [{ newText: '', startLine: 1, endLine: 4_000 }] },
    ],
  ] as const) {
    const [said = ''] = await workspace.say(client, tool, { ...args });
    expect(said.length, tool).toBeGreaterThan(90_000);
    expect(said.length, tool).toBeLessThan(1_048_576);
  }
});

test('the instructions have 400 to 600 bytes with a usual directory, and say how the tools are used', async () => {
  const texts: string[] = [];
  const keep = { directory: join(shared.base, 'kept') };
  for (const options of [{}, { readOnly: true }, { keep }, { numbered: true }]) {
    await using client = await shared.connect(options);
    texts.push(client.instructions!.replaceAll(shared.root, '/home/ada/work'));
  }
  for (const text of texts) {
    expect(text.length).toBeGreaterThanOrEqual(400);
    expect(text.length).toBeLessThanOrEqual(600);
    expect(text).toContain('/home/ada/work');
    expect(text).toContain('literally unless regex');
  }
  expect(texts[0]).toContain('count: 0 replaces all');
  expect(texts[1]).not.toContain('edit_file');
  expect(texts[2]).toContain('restore_file undoes');
  expect(texts[0]).toContain('reads number lines with offset or limit');
  expect(texts[3]).toContain('every read numbers lines');
});
