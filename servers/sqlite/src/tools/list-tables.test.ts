import Driver from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { shareProcesses, Workspace } from '../../test/workspace.ts';

// The tests create thousands of tables, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

shareProcesses();

test('lists tables, views and virtual tables, without the internal tables of SQLite', async () => {
  using workspace = new Workspace(`
    CREATE TABLE b(x); INSERT INTO b VALUES (1), (2); CREATE INDEX i ON b(x);
    CREATE TABLE "we""ird | tbl"(x, y);
    CREATE VIEW broken AS SELECT * FROM gone;
    CREATE VIRTUAL TABLE notes USING fts5(text);
    CREATE TABLE counter(id INTEGER PRIMARY KEY AUTOINCREMENT);
  `);
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'list_tables')).toBe(
    [
      'b: table, 1 columns, 2 rows',
      'broken: view, 0 columns',
      'counter: table, 1 columns, 0 rows',
      'notes: virtual, 3 columns, 0 rows',
      '"we\\"ird | tbl": table, 2 columns, 0 rows',
      '5 tables and views',
    ].join('\n'),
  );
});

test('a broken view, an endless view and a missing module do not hide the other tables', async () => {
  using workspace = new Workspace(`
    CREATE TABLE people(name TEXT); INSERT INTO people VALUES ('Ada');
    CREATE VIEW broken AS SELECT * FROM gone;
    CREATE VIEW names AS SELECT name, upper(name) AS loud FROM people;
    CREATE VIEW endless AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) AS n FROM c;
  `);
  const driver = new Driver(workspace.path);
  driver.unsafeMode();
  driver.exec(
    "PRAGMA writable_schema = 1; INSERT INTO sqlite_schema VALUES ('table', 'vec', 'vec', 0, 'CREATE VIRTUAL TABLE vec USING vec0(a)')",
  );
  driver.close();
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'list_tables')).toBe(
    [
      'broken: view, 0 columns',
      'endless: view, 1 columns',
      'names: view, 2 columns',
      'people: table, 1 columns, 1 rows',
      'vec: virtual, 0 columns',
      '5 tables and views',
    ].join('\n'),
  );
  expect(await workspace.say(client, 'search', { text: 'ada' })).toBe('people.name row 1: "Ada"\n1 match');
  expect(await workspace.say(client, 'search', { text: 'ada', table: 'names' })).toBe(
    'names.name: "Ada"\nnames.loud: "ADA"\n2 matches',
  );
  expect(await workspace.say(client, 'search', { text: 'ada', table: 'vec' })).toContain(
    'no such module: vec0',
  );
  expect(await workspace.say(client, 'query', { sql: 'SELECT nmae FROM people' })).toContain(
    'Did you mean "name"?',
  );
  expect(await workspace.say(client, 'describe_table', { table: 'names' })).toContain(
    'names: view, 2 columns',
  );
});

test('counts all rows of a table', async () => {
  using workspace = new Workspace(
    'CREATE TABLE t AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 20000) SELECT x FROM c',
  );
  await using client = await workspace.connect();
  await expect
    .poll(() => workspace.say(client, 'list_tables'), { timeout: 15_000 })
    .toBe('t: table, 1 columns, 20,000 rows\n1 table or view');
});

test('with several databases, a tool needs the name of one', async () => {
  using workspace = new Workspace();
  const other = workspace.putDatabase('other.db', 'CREATE TABLE here(x)');
  await using client = await workspace.connect({ paths: [workspace.path, other] });
  expect(await workspace.say(client, 'list_tables')).toBe(
    'ERROR Missing database; expected one of "shop", "other"',
  );
  expect(await workspace.say(client, 'list_tables', { database: 'OTHER' })).toBe(
    'here: table, 1 columns, 0 rows\n1 table or view',
  );
  expect(await workspace.say(client, 'list_tables', { database: 'third' })).toBe(
    'ERROR No such database: "third"\nThe databases are "shop", "other"',
  );
  expect(client.instructions).toContain('The databases are "shop", "other"');
});

test('5,000 tables are listed in pages, and can be filtered by name', async () => {
  using workspace = new Workspace();
  const names = Array.from({ length: 5_000 }, (_, index) => `t_${String(index).padStart(5, '0')}`);
  workspace.make(
    workspace.path,
    `BEGIN; ${names.map((name) => `CREATE TABLE ${name}(x);`).join(' ')} COMMIT`,
  );
  await using client = await workspace.connect();
  const list = async (args: object = {}) => {
    const lines = (await workspace.say(client, 'list_tables', { ...args })).split('\n');
    const [, shown, total, cursor] =
      /^(?:(\d+) of )?([\d,]+) tables and views(?:; continue with cursor "(.+)")?$/.exec(lines.at(-1)!) ?? [];
    const found = lines.slice(0, -1).map((line) => line.split(':')[0]);
    if (shown !== undefined) expect(found).toHaveLength(Number(shown));
    return { names: found, total, nextCursor: cursor };
  };
  const first = await list();
  const second = await list({ cursor: first.nextCursor });
  expect([first.names.length, second.names.length, first.total]).toEqual([200, 200, '5,002']);
  expect([...first.names, ...second.names]).toEqual(['customers', 'orders', ...names.slice(0, 398)]);
  const filtered = await list({ filter: 'T_0499' });
  expect(filtered).toEqual({ names: names.slice(4_990), total: '10', nextCursor: undefined });
  expect(await workspace.say(client, 'list_tables', { filter: '_' })).toContain(
    '200 of 5,000 tables and views; continue with cursor "',
  );
  expect(await workspace.say(client, 'list_tables', { filter: 'custmer' })).toBe(
    'No table or view has "custmer" in its name\nDid you mean "customers"?',
  );
  expect(await workspace.say(client, 'list_tables', { cursor: 'x' })).toContain('Invalid cursor');
  for (const [name, args] of [
    ['explore-database', {}],
    ['write-query', { question: 'x' }],
    ['optimize-query', { sql: 'SELECT 1' }],
    ['mcp-demo', { topic: 'x' }],
  ] as const) {
    expect(JSON.stringify(await client.getPrompt(name, args)).length, name).toBeLessThan(128 * 1024);
  }
  expect(JSON.stringify(await client.readResource('sqlite://shop/schema')).length).toBeLessThan(400 * 1024);
});

test('a database is also found by its file name', async () => {
  using workspace = new Workspace();
  const other = workspace.putDatabase('other.db', 'CREATE TABLE here(x)');
  await using client = await workspace.connect({ paths: [workspace.path, other] });
  expect(await workspace.say(client, 'list_tables', { database: 'other.db' })).toContain('here: table');
});
