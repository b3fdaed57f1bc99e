import type { Client } from '@mcp/protocol/testing';
import Driver from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

let workspace: Workspace;
let client: Client;

beforeAll(async () => {
  workspace = new Workspace(`
    CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, city TEXT);
    CREATE TABLE orders(id INTEGER PRIMARY KEY, customer INTEGER, placed TEXT, total REAL, "odd name" TEXT);
    CREATE INDEX orders_total ON orders(total);
    CREATE VIEW recent AS SELECT * FROM orders WHERE placed > '2026-01-01';
    CREATE VIRTUAL TABLE words USING fts5(word);
  `);
  client = await workspace.connect();
});
afterAll(async () => {
  await client.close();
  workspace[Symbol.dispose]();
});

async function indexes(sql: string): Promise<unknown> {
  const { isError, content } = await client.callTool('explain', { sql });
  const { text } = content[0] as { text: string };
  if (isError) throw new Error(text);
  return /help:\n([^]*?)\n\n/.exec(text)?.[1]?.split('\n').toSorted();
}

test('explain suggests an index for a scan, and shows the plan with it', async () => {
  const sql = "SELECT * FROM orders o WHERE o.customer = 7 AND placed >= '2026-01-01'";
  expect(await workspace.say(client, 'explain', { sql })).toBe(
    'SCAN o\n\nThese indexes would help:\nCREATE INDEX orders_customer_placed ON orders (customer, placed)\n\n' +
      'The plan with them, on an empty copy of the schema (an index costs time at each write):\n' +
      'SEARCH o USING INDEX orders_customer_placed (customer=? AND placed>?)\n',
  );
});

test.each([
  [
    'an ORDER BY',
    'SELECT * FROM orders WHERE customer = 1 ORDER BY placed',
    ['CREATE INDEX orders_customer_placed ON orders (customer, placed)'],
  ],
  [
    'a join',
    "SELECT * FROM customers c JOIN orders o ON o.customer = c.id WHERE c.city = 'Oslo'",
    ['CREATE INDEX customers_city ON customers (city)', 'CREATE INDEX orders_customer ON orders (customer)'],
  ],
  [
    'a range',
    "SELECT * FROM orders WHERE placed BETWEEN '2026-01-01' AND '2026-02-01'",
    ['CREATE INDEX orders_placed ON orders (placed)'],
  ],
  [
    'a quoted name',
    `SELECT * FROM orders WHERE "odd name" = 'x'`,
    ['CREATE INDEX "orders_odd name" ON orders ("odd name")'],
  ],
  [
    'a DELETE',
    'DELETE FROM orders WHERE customer IN (1, 2)',
    ['CREATE INDEX orders_customer ON orders (customer)'],
  ],
  [
    'a second column beside an index',
    'SELECT * FROM orders WHERE total = 1 AND customer = 2',
    ['CREATE INDEX orders_total_customer ON orders (total, customer)'],
  ],
  [
    'a range beside an index',
    'SELECT * FROM orders WHERE customer = 2 AND total > 5',
    ['CREATE INDEX orders_customer_total ON orders (customer, total)'],
  ],
  [
    'a join with an index on one side',
    'SELECT * FROM customers c JOIN orders o ON o.customer = c.id WHERE o.total = 5 AND c.city = o.placed',
    undefined,
  ],
  ['a whole index', 'SELECT * FROM orders WHERE total = 1 AND total < 5', undefined],
  ['a range of an index', 'SELECT * FROM orders WHERE total BETWEEN 1 AND 5', undefined],
  ['a key and a column', 'SELECT * FROM orders WHERE id = 1 AND customer = 2', undefined],
  ['an index that orders', 'SELECT * FROM orders WHERE total > 5 ORDER BY total', undefined],
  ['a view', 'SELECT * FROM recent WHERE customer = 1', undefined],
  ['a search by key', 'SELECT * FROM orders WHERE id = 1', undefined],
  ['an existing index', 'SELECT * FROM orders WHERE total = 1', undefined],
  [
    'the first rows in an order',
    'SELECT * FROM orders ORDER BY placed LIMIT 10',
    ['CREATE INDEX orders_placed ON orders (placed)'],
  ],
  ['all rows in an order', 'SELECT * FROM orders ORDER BY placed', undefined],
  ['a whole table', 'SELECT * FROM orders', undefined],
  ['a function of a column', "SELECT * FROM customers WHERE lower(name) = 'ada'", undefined],
  ['an inequality', 'SELECT * FROM orders WHERE customer <> 1', undefined],
  ['a virtual table', "SELECT * FROM words WHERE word = 'x'", undefined],
])('for %s the advice is as SQLite would use it', async (_, sql, expected) => {
  expect(await indexes(sql)).toEqual(expected);
  // A real database with the advised indexes uses each of them for the query.
  for (const index of expected ?? []) {
    const database = new Driver(':memory:');
    database.exec(
      'CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, city TEXT); CREATE TABLE orders(id INTEGER PRIMARY KEY, customer INTEGER, placed TEXT, total REAL, "odd name" TEXT); CREATE INDEX orders_total ON orders(total)',
    );
    for (const each of expected!) database.exec(each);
    const [, name] = /INDEX ("[^"]+"|\S+)/.exec(index)!;
    expect(JSON.stringify(database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all())).toContain(
      name!.replaceAll('"', ''),
    );
    database.close();
  }
});

test('the text of a hostile schema is not run for advice', async () => {
  using hostile = new Workspace('CREATE TABLE t(a); CREATE TABLE u(a)');
  const database = new Driver(hostile.path);
  database.unsafeMode(true);
  database.pragma('writable_schema = 1');
  database
    .prepare("UPDATE sqlite_schema SET sql = ? WHERE name = 'u'")
    .run(`ATTACH '${hostile.outside}/made.db' AS u`);
  database.close();
  await using reader = await hostile.connect();
  const before = hostile.disk;
  await reader.callTool('explain', { sql: 'SELECT * FROM t WHERE a = 1' });
  expect(hostile.disk).toBe(before);
});
