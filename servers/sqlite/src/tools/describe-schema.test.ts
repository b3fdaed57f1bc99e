import { expect, test } from 'vitest';
import { shareProcesses, Workspace } from '../../test/workspace.ts';

shareProcesses();

test('without table, describe_table answers the whole schema with exact counts', async () => {
  using workspace = new Workspace(`
    CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); CREATE INDEX by_v ON t(v);
    CREATE TRIGGER noted AFTER INSERT ON t BEGIN SELECT 1; END;
    CREATE VIEW w AS SELECT v FROM t WHERE id > 10000;
    WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 12345) INSERT INTO t SELECT x, x FROM c;
  `);
  await using client = await workspace.connect();
  // On a busy machine, the start of a process may take all of the time for counting.
  await expect
    .poll(() => workspace.say(client, 'describe_table'), { timeout: 15_000 })
    .toBe(
      [
        't: table, 2 columns, 12,345 rows\nCREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);\nCREATE INDEX by_v ON t(v);\n' +
          'CREATE TRIGGER noted AFTER INSERT ON t BEGIN SELECT 1; END;',
        'w: view, 1 columns, 2,345 rows\nCREATE VIEW w AS SELECT v FROM t WHERE id > 10000;',
        '2 tables and views',
      ].join('\n\n'),
    );
});

test('a table that takes long to count has no row count, and the others are capped', async () => {
  using workspace = new Workspace(`
    CREATE VIEW endless AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c;
    CREATE TABLE t(v); WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 12345) INSERT INTO t SELECT x FROM c;
  `);
  await using client = await workspace.connect();
  const text = await workspace.say(client, 'describe_table');
  expect(text).toContain('endless: view, 1 columns\n');
  expect(text).toContain('t: table, 1 columns, 10,000+ rows\n');
});

test('profile answers types, distinct values, extremes and the most frequent values of each column', async () => {
  using workspace = new Workspace(`
    CREATE TABLE t(id INTEGER PRIMARY KEY, city TEXT, "odd | name", empty, big);
    INSERT INTO t(city, "odd | name", big) VALUES
      ('Oslo', 1, 9007199254740993), ('Oslo', 'x', 1), ('Turin', 1.5, 1), ('OSLO', x'00ff', 2), (NULL, 1, 3);
  `);
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'describe_table', { table: 'T', profile: true })).toBe(
    [
      't: 5 rows',
      '- id: integer; 5 distinct; 1 to 5',
      '- city: text 4, null 1; 3 distinct; "OSLO" to "Turin"; "Oslo" ×2',
      '- "odd | name": integer 2, blob 1, real 1, text 1; 4 distinct; 1 to {"$blob":"AP8=","bytes":2}; 1 ×2',
      '- empty: null',
      '- big: integer; 4 distinct; 1 to {"$int":"9007199254740993"}; 1 ×2',
    ].join('\n'),
  );
  expect(await workspace.say(client, 'describe_table', { table: 'tt', profile: true })).toBe(
    'ERROR SQLITE_ERROR: no such table: tt\nDid you mean "t"?',
  );
  expect(await workspace.say(client, 'describe_table', { profile: true })).toBe(
    'ERROR profile needs the argument table\nlist_tables lists all tables',
  );
  expect(await workspace.say(client, 'describe_table', { table: 't', cursor: 'x' })).toBe(
    'ERROR cursor continues the whole schema: leave out table',
  );
  expect(await workspace.say(client, 'describe_table', { cursor: 'x' })).toMatch(
    /^ERROR Invalid cursor: "x"/,
  );
});

test('a profile that takes long is one of the first rows, and says so', async () => {
  using workspace = new Workspace(`
    CREATE VIEW endless AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x, 'a' AS a FROM c;
  `);
  await using client = await workspace.connect({ timeoutMs: 4_000 });
  expect(await workspace.say(client, 'describe_table', { table: 'endless', profile: true })).toBe(
    'endless: only the first 10,000 rows\n- x: integer; 10,000 distinct; 1 to 10000\n- a: text; 1 distinct; "a"; "a" ×10,000',
  );
});
