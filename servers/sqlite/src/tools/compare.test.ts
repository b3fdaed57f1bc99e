import type { Client } from '@mcp/protocol/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

let workspace: Workspace;
let client: Client;

beforeAll(async () => {
  workspace = new Workspace(`
    CREATE TABLE old(id INTEGER, name TEXT COLLATE NOCASE); CREATE TABLE new(id INTEGER, name TEXT);
    INSERT INTO old VALUES (1, 'Ada'), (2, 'Ben'), (2, 'Ben'), (3, NULL), (4, 'x');
    INSERT INTO new VALUES (1, 'ada'), (2, 'Ben'), (3, NULL), (5, 'y');
  `);
  client = await workspace.connect();
});
afterAll(async () => {
  await client.close();
  workspace[Symbol.dispose]();
});

const compare = (args: object) =>
  client.callTool('query', { sql: 'SELECT * FROM old', compare: 'SELECT * FROM new', ...args });

test('compare returns the rows that only one of two queries has, how often, and counts', async () => {
  const { structuredContent } = await compare({ format: 'json' });
  expect(structuredContent).toMatchObject({
    rows: [
      ['sql', 1, 1, 'Ada'],
      ['compare', 1, 1, 'ada'],
      ['sql', 1, 2, 'Ben'],
      ['sql', 1, 4, 'x'],
      ['compare', 1, 5, 'y'],
    ],
    rowCount: 5,
    comparison: { sql: 5, compare: 4, onlySql: 3, onlyCompare: 2 },
  });
  const { content } = await compare({});
  expect((content[0] as { text: string }).text).toMatch(
    /^\| only_in \| times \| id \| name \|\n[^]*\n\nsql: 5 rows, 3 of them not in compare; compare: 4 rows, 2 of them not in sql$/,
  );
});

test('the rows of a comparison come in pages, with parameters of both queries', async () => {
  const args = {
    sql: 'SELECT id FROM old WHERE id > ?',
    compare: 'SELECT id FROM new WHERE id > ? -- end',
    params: [1, 2],
    limit: 1,
    format: 'json',
  };
  const first = (await compare(args)).structuredContent as { rows: unknown[]; nextCursor: string };
  expect(first.rows).toEqual([['sql', 2, 2]]);
  const next = (await compare({ ...args, cursor: first.nextCursor, limit: 9 })).structuredContent as {
    rows: unknown[];
  };
  expect(next.rows).toEqual([
    ['sql', 1, 4],
    ['compare', 1, 5],
  ]);
  const { isError } = await compare({ ...args, compare: 'SELECT id FROM new', cursor: first.nextCursor });
  expect(isError).toBe(true);
});

test('a column of the queries may be named like one of the comparison', async () => {
  const args = { sql: 'SELECT 1 AS times, 2 AS only_in', compare: 'VALUES (1, 3)', format: 'json' };
  expect((await compare(args)).structuredContent).toMatchObject({
    columns: [{ name: 'only_in' }, { name: 'times' }, { name: 'times_2' }, { name: 'only_in_2' }],
    rows: [
      ['sql', 1, 1, 2],
      ['compare', 1, 1, 3],
    ],
  });
});

test.each([
  ['PRAGMA query_only=0', 'Only SELECT'],
  ['DELETE FROM new', 'Only SELECT'],
  ['WITH x AS (SELECT 1) DELETE FROM new RETURNING *', 'This statement writes'],
  ['SELECT 1) SELECT 2', 'syntax error'],
  ['SELECT 1, 2; DELETE FROM new', 'more than one statement'],
  ['SELECT id FROM new', 'sql has 2 columns, and compare has 1'],
  ['SELECT * FROM nwe', 'Did you mean "new"?'],
  ['', 'sql is empty'],
])('compare refuses %s', async (sql, message) => {
  const before = workspace.disk;
  expect(await workspace.say(client, 'query', { sql: 'SELECT * FROM old', compare: sql })).toContain(message);
  expect(workspace.disk).toBe(before);
});

test('an endless comparison ends at its deadline', async () => {
  const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c';
  expect(
    await workspace.say(client, 'query', { sql: 'SELECT 1', compare: endless, timeout_ms: 200 }),
  ).toContain('Not finished within 200 ms');
  expect(
    await workspace.say(client, 'query', { sql: "SELECT CAST(x'ff' AS TEXT)", compare: 'SELECT 1' }),
  ).toContain('"$text":"ff"');
});
