import { expect, test } from 'vitest';
import { shareProcesses, Workspace } from './workspace.ts';

shareProcesses();

const maxLength = 40_000;
const longName = (index: number) => `t${String(index).padStart(3, '0')}${'n'.repeat(1_500)}`;
const columns = (length: number) =>
  Array.from({ length: 1_900 }, (_, index) => `"c${index}${'x'.repeat(length)}" TEXT`).join(', ');

/** A database whose every part is too long for one answer. */
const hostile = `
  ${Array.from({ length: 60 }, (_, index) => `CREATE TABLE ${longName(index)}(a, b);`).join('\n')}
  CREATE TABLE wide(${columns(300)});
  CREATE TABLE narrow(${columns(0)});
  INSERT INTO narrow DEFAULT VALUES;
  CREATE TABLE texts(id INTEGER PRIMARY KEY, a, b, c, d, e);
  WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 600)
  INSERT INTO texts SELECT x, printf('%.*c', 300, 'w'), 'needle in the hay', 'needle ' || x, 0, 0 FROM c;
  CREATE VIEW long AS SELECT printf('%.*c', 30000, 'z') AS z, printf('%.*c', 30000, 'y') AS y, 1 AS one;
  CREATE VIEW rows AS SELECT printf('%.*c', 8000, 'z') AS z FROM texts;
`;

/** A call, and what the answer has to say about the rest; undefined where all of it fits. */
const calls: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
  ['list_tables', {}, /\d+ of 65 tables and views; continue with cursor "/],
  ['describe_table', {}, /\d+ of 65 tables and views; continue with cursor "/],
  [
    'describe_table',
    { table: 'wide' },
    /and \d+ more columns[\s\S]*8000 of \d+ characters; substr\(sql, 8001\)/,
  ],
  ['describe_table', { table: 'narrow' }, /and \d+ more columns/],
  ['describe_table', { table: 'narrow', profile: true }, /The first 200 of 1900 columns/],
  ['describe_table', { table: 'wide', profile: true }, /of 1900 columns/],
  ['query', { sql: 'SELECT * FROM long' }, /\(30000 characters\)/],
  ['query', { sql: 'SELECT * FROM long', format: 'csv' }, /""bytes"":30000/],
  ['query', { sql: 'SELECT * FROM long', format: 'jsonl' }, /"bytes":30000/],
  ['query', { sql: 'SELECT * FROM long', format: 'json' }, /1 rows as JSON/],
  [
    'query',
    { sql: 'SELECT * FROM rows' },
    /there are more: raise limit, or continue with cursor|there are more: continue with cursor/,
  ],
  ['query', { sql: 'SELECT * FROM texts', format: 'csv' }, /there are more: /],
  ['query', { sql: 'SELECT * FROM rows', format: 'json' }, /there are more: continue with cursor/],
  ['query', { sql: 'SELECT * FROM narrow' }, /NULL/],
  ['query', { sql: 'SELECT * FROM narrow', format: 'json' }, /The names of the columns exceed 39000 bytes/],
  ...['table', 'csv', 'json'].map(
    (format) =>
      [
        'query',
        { sql: 'SELECT * FROM wide', format },
        /The names of the columns exceed 39000 bytes/,
      ] as const,
  ),
  ['query', { sql: `SELECT 1 AS "${'k'.repeat(60_000)}"`, format: 'jsonl' }, /One row exceeds 39000 bytes/],
  ['query', { sql: `SELECT * FROM ${'m'.repeat(50_000)}` }, /no such table/],
  ['search', { text: 'needle' }, /The first 50 matches; there are more: raise limit to at most 500/],
  ['search', { text: 'w', limit: 500 }, /and \d+ more, which do not fit/],
  [
    'explain',
    {
      sql: Array.from({ length: 400 }, (_, index) => `SELECT a FROM ${longName(index % 60)}`).join(
        ' UNION ALL ',
      ),
    },
    /and \d+ more lines; explain the parts/,
  ],
  [
    'write',
    { sql: 'UPDATE texts SET d = 1 RETURNING *' },
    /The first \d+ of 600 returned rows|and \d+ more lines/,
  ],
  [
    'write',
    {
      sql: 'UPDATE texts SET d = 2',
      more: Array.from({ length: 3_000 }, () => 'UPDATE texts SET e = 1 WHERE id = 1'),
    },
    /and \d+ more lines; query reads the changed rows/,
  ],
  ['import', { path: 'wide.csv', table: 'w', dry_run: true }, /and \d+ more columns/],
  ['import', { path: 'other.csv', table: 'wide', append: true }, /has no column/],
];

const workspace = new Workspace(hostile);
workspace.put(
  '../outside/wide.csv',
  `${Array.from({ length: 1_500 }, (_, index) => `h${index}${'y'.repeat(400)}`).join(',')}\n${'value,'.repeat(1_499)}v\n`,
);
workspace.put('../outside/other.csv', 'unknown\n1\n');
const client = await workspace.connect({ allowWrite: true, importDirectory: workspace.outside });

test.each(calls)(
  '%s %# answers at most 40,000 characters, and says how much there is',
  async (tool, args, rest) => {
    const result = await client.callTool(tool, args);
    const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    expect(text.length).toBeLessThanOrEqual(maxLength);
    expect(text).toMatch(rest);
    expect(JSON.stringify(result.structuredContent ?? null).length).toBeLessThanOrEqual(maxLength);
  },
);

test.each(['list_tables', 'describe_table'])('the pages of %s have all tables, once each', async (tool) => {
  const names: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const text = await workspace.say(client, tool, cursor === '' ? {} : { cursor });
    expect(text.length).toBeLessThanOrEqual(maxLength);
    names.push(...Array.from(text.matchAll(/^(\w+): (?:table|view), /gm), (match) => match[1]!));
    cursor = /continue with cursor "([^"]+)"$/.exec(text)?.[1];
  }
  expect(names).toHaveLength(65);
  expect(new Set(names).size).toBe(65);
});

test.each(['csv', 'jsonl', 'json'])('with limit, the caller asks for more, as %s', async (format) => {
  const result = await client.callTool('query', { sql: 'SELECT * FROM long', limit: 1, format });
  expect(JSON.stringify(result.structuredContent ?? result.content).length).toBeGreaterThan(60_000);
});

test('the tool that may answer more declares its greatest size', async () => {
  await using small = await workspace.connect({ maxBytes: 60_000 });
  const greatest = async (each: typeof client) =>
    (await each.listTools()).flatMap(({ name, _meta }) => (_meta ? [[name, _meta]] : []));
  expect(await greatest(client)).toEqual([['query', { 'anthropic/maxResultSizeChars': 1_048_576 }]]);
  expect(await greatest(small)).toEqual([['query', { 'anthropic/maxResultSizeChars': 60_000 }]]);
});
