import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import Driver from 'better-sqlite3';
import { expect, test } from 'vitest';
import { OtherProcess } from '../../test/database-process.ts';
import { Workspace } from '../../test/workspace.ts';

const program = fileURLToPath(new URL('../../dist/main.cjs', import.meta.url));

test('lists tables, with views and virtual tables, without what belongs to SQLite', async () => {
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
    ].join('\n'),
  );
  const { structuredContent } = await client.callTool('list_tables');
  expect(structuredContent).toMatchObject({
    tables: [{ name: 'b', kind: 'table', columns: 1, rows: 2 }, {}, {}, {}, { name: 'we"ird | tbl' }],
  });
});

test('one table that cannot be read keeps nobody from the others', async () => {
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
    ].join('\n'),
  );
  expect(await workspace.say(client, 'search', { text: 'ada' })).toBe('people.name row 1: "Ada"');
  expect(await workspace.say(client, 'search', { text: 'ada', table: 'names' })).toBe(
    'names.name: "Ada"\nnames.loud: "ADA"',
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

test('counts rows only as far as it is quick', async () => {
  using workspace = new Workspace(
    'CREATE TABLE t AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 20000) SELECT x FROM c',
  );
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'list_tables')).toBe('t: table, 1 columns, 10,000+ rows');
});

test('describes generated columns, keys, indexes, triggers, STRICT and WITHOUT ROWID', async () => {
  using workspace = new Workspace(`
    CREATE TABLE parent(a TEXT, b INTEGER, PRIMARY KEY (b, a)) STRICT, WITHOUT ROWID;
    CREATE TABLE child(
      id INTEGER PRIMARY KEY, a TEXT NOT NULL DEFAULT 'x', b INTEGER,
      twice INTEGER GENERATED ALWAYS AS (b * 2) VIRTUAL, kept INTEGER GENERATED ALWAYS AS (b + 1) STORED,
      FOREIGN KEY (a, b) REFERENCES parent(a, b) ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX by_a ON child(a, lower(a));
    CREATE TRIGGER noted AFTER INSERT ON child BEGIN SELECT 1; END;
  `);
  await using client = await workspace.connect();
  const text = await workspace.say(client, 'describe_table', { table: 'CHILD' });
  expect(text.split('\n\n').slice(0, 5)).toEqual([
    'child: table, 5 columns, 0 rows',
    "- id INTEGER primary key\n- a TEXT not null default 'x'\n- b INTEGER\n- twice INTEGER generated, virtual\n" +
      '- kept INTEGER generated, stored',
    'Foreign keys:\n- a, b → parent(a, b) ON DELETE CASCADE',
    'Indexes:\n- by_a (a, "(expression)"), unique',
    'Triggers:\n- noted',
  ]);
  const { structuredContent } = await client.callTool('describe_table', { table: 'parent' });
  expect(structuredContent).toMatchObject({
    strict: true,
    withoutRowid: true,
    details: [
      { name: 'a', primaryKey: 2 },
      { name: 'b', primaryKey: 1 },
    ],
  });
  expect(await workspace.say(client, 'describe_table', { table: 'chidl' })).toBe(
    'ERROR SQLITE_ERROR: no such table: chidl\nDid you mean "child"?',
  );
});

test('shows a plan as a tree, and runs nothing', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const before = workspace.disk;
  const sql = 'SELECT * FROM customers AS c JOIN orders AS o ON o.customer_id = c.id ORDER BY o.total';
  expect(await workspace.say(client, 'explain', { sql })).toBe(
    'SCAN o\nSEARCH c USING INTEGER PRIMARY KEY (rowid=?)\nUSE TEMP B-TREE FOR ORDER BY\n',
  );
  expect(
    await workspace.say(client, 'explain', { sql: 'DELETE FROM orders WHERE id = ?', params: [1] }),
  ).toBe('SEARCH orders USING INTEGER PRIMARY KEY (rowid=?)\n');
  expect(await workspace.say(client, 'explain', { sql: 'PRAGMA query_only = 0' })).toContain('have a plan');
  expect(workspace.disk).toBe(before);
});

test('searches by full-text index, by words where the expression is none, and any other table by comparing', async () => {
  using workspace = new Workspace(`
    CREATE VIRTUAL TABLE notes USING fts5(title, body);
    INSERT INTO notes VALUES ('Trip', 'a boat to foo-bar island'), ('Home', 'nothing here');
    CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, bio TEXT);
    INSERT INTO people VALUES (7, 'Ada 100%', 'likes Foo-Bar'), (8, 'Ben', NULL);
    CREATE TABLE keyed(k TEXT PRIMARY KEY, v TEXT) WITHOUT ROWID;
    INSERT INTO keyed VALUES ('a', 'FOO-BAR');
  `);
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'search', { text: 'boat NOT home', table: 'notes' })).toBe(
    'notes row 1: "a boat to foo-bar island"',
  );
  expect(await workspace.say(client, 'search', { text: 'foo-bar' })).toBe(
    [
      'notes row 1: "a boat to foo-bar island"',
      'keyed.v: "FOO-BAR"',
      'people.bio row 7: "likes Foo-Bar"',
      'The text was no full-text expression, so its words were looked for',
    ].join('\n'),
  );
  expect(await workspace.say(client, 'search', { text: '100%', table: 'people' })).toBe(
    'people.name row 7: "Ada 100%"',
  );
  expect(await workspace.say(client, 'search', { text: 'xyz' })).toBe('No matches');
  expect(await workspace.say(client, 'search', { text: 'x', table: 'nobody' })).toContain(
    'no such table: nobody',
  );
});

test('writes one statement, says what changed, and undoes a dry run', async () => {
  using workspace = new Workspace(`
    CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t(v) VALUES ('a'), ('b');
    CREATE TABLE log(what); CREATE TRIGGER noted AFTER DELETE ON t BEGIN INSERT INTO log VALUES (old.v); END;
  `);
  await using client = await workspace.connect({ allowWrite: true });
  const before = workspace.disk;
  expect(await workspace.say(client, 'write', { sql: 'DELETE FROM t', dry_run: true })).toBe(
    'Would change 2 rows, 4 with those of triggers and foreign keys\nNothing was changed: this was a dry run',
  );
  expect(workspace.disk).toBe(before);
  const inserted = await client.callTool('write', { sql: 'INSERT INTO t(v) VALUES (?)', params: [1] });
  expect(inserted.structuredContent).toEqual({
    changes: 1,
    totalChanges: 1,
    lastInsertRowid: 3,
    dryRun: false,
  });
  expect(await workspace.rows(client, 'SELECT v, typeof(v) FROM t WHERE id = 3')).toEqual([[1, 'integer']]);
  const returned = await client.callTool('write', {
    sql: "UPDATE t SET v = 'c' WHERE id > 1 RETURNING id, v",
  });
  expect(returned.structuredContent).toMatchObject({
    changes: 2,
    columns: ['id', 'v'],
    rows: [
      [2, 'c'],
      [3, 'c'],
    ],
  });
  expect(await workspace.say(client, 'write', { sql: 'CREATE TABLE u(x)' })).toBe('Changed 0 rows');
  expect(await workspace.say(client, 'write', { sql: 'SELECT 1' })).toContain('use the tool query');
  expect(await workspace.say(client, 'write', { sql: 'WITH x AS (SELECT 1) SELECT * FROM x' })).toBe(
    'ERROR This statement only reads\nUse the tool query',
  );
  for (const sql of [
    "ATTACH 'x.db' AS x",
    'PRAGMA user_version = 1',
    "VACUUM INTO 'copy.db'",
    'COMMIT',
    'BEGIN',
  ]) {
    expect(await workspace.say(client, 'write', { sql }), sql).toMatch(/^ERROR Only INSERT/);
  }
});

test('nothing temporary hides a table from what is written next', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ allowWrite: true });
  const write = (sql: string) => workspace.say(client, 'write', { sql });
  for (const sql of [
    'CREATE TEMP TABLE customers AS SELECT * FROM main.customers',
    'CREATE TABLE temp.customers(name)',
    'CREATE TEMPORARY TRIGGER t AFTER INSERT ON customers BEGIN DELETE FROM customers; END',
    'CREATE TEMP VIEW v AS SELECT 1',
  ]) {
    expect(await write(sql)).toBe(
      'ERROR Nothing temporary is kept from one statement to the next\n' +
        'Leave out TEMP, or put the rows into a WITH of the statement that needs them',
    );
  }
  expect(await write("INSERT INTO customers(name) VALUES ('Dora')")).toContain('Changed 1 row');
  expect(await workspace.rows(client, 'SELECT count(*) FROM customers')).toEqual([[4]]);
});

test('a rowid is told only of what was inserted', async () => {
  using workspace = new Workspace(`
    CREATE TABLE t(id INTEGER PRIMARY KEY, v); CREATE TABLE "a ""b"" c"(v); CREATE TABLE k(k PRIMARY KEY) WITHOUT ROWID;
    CREATE VIEW w AS SELECT 1 AS v; CREATE TRIGGER i INSTEAD OF INSERT ON w BEGIN INSERT INTO t(v) VALUES (new.v); END`);
  await using client = await workspace.connect({ allowWrite: true });
  const rowid = async (sql: string) => {
    const { structuredContent } = await client.callTool('write', { sql });
    return (structuredContent as { lastInsertRowid?: unknown }).lastInsertRowid;
  };
  expect(await rowid('INSERT INTO t VALUES (7, 1)')).toBe(7);
  expect(await rowid('INSERT INTO k VALUES (1)')).toBeUndefined();
  expect(await rowid('INSERT INTO w VALUES (1)')).toBeUndefined();
  expect(await rowid('INSERT INTO main."a ""b"" c" VALUES (1)')).toBe(1);
  expect(await rowid('INSERT INTO t VALUES (7, 1) ON CONFLICT DO UPDATE SET v = 2')).toBeUndefined();
  expect(await rowid('/* once more */ REPLACE INTO t VALUES (9, 1)')).toBe(9);
});

test('what RETURNING gives fits an answer', async () => {
  using workspace = new Workspace(
    `CREATE TABLE t(v); INSERT INTO t WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 100) SELECT printf('%.*c', 1000, 'x') FROM c`,
  );
  await using client = await workspace.connect({ allowWrite: true, maxBytes: 20_000 });
  const { structuredContent, content } = await client.callTool('write', {
    sql: 'UPDATE t SET v = v WHERE 1 RETURNING v',
  });
  const { rows, truncated, changes } = structuredContent as {
    rows: unknown[];
    truncated: boolean;
    changes: number;
  };
  expect({ rows: rows.length, truncated, changes }).toEqual({ rows: 19, truncated: true, changes: 100 });
  expect((content[0] as { text: string }).text).toMatch(
    /\n16 of 19 rows shown\nRETURNING gave more rows than fit$/,
  );
});

test('a write that is late says whether it may have been written', async () => {
  using workspace = new Workspace();
  // Also on a busy machine, this is enough to start a process and to come to the end of a write.
  const args = [program, '--allow-write', '--timeout', '4000', workspace.path];
  await using client = await Client.connect(spawnServer({ command: process.execPath, args }).channel);
  const sql = "INSERT INTO customers(name) VALUES ('Dora')";
  using other = new OtherProcess(workspace.path);
  await other.run('BEGIN IMMEDIATE');
  expect(await workspace.say(client, 'write', { sql })).toBe(
    'ERROR SQLITE_INTERRUPT: Not done within 4000 ms\nNothing of it was written',
  );
  await other.run('ROLLBACK; BEGIN; SELECT count(*) FROM customers');
  expect(await workspace.say(client, 'write', { sql })).toBe(
    'ERROR SQLITE_INTERRUPT: Not done within 4000 ms\n' +
      'It was about to be written for good: look whether it was before you try again',
  );
  await other.run('COMMIT');
  await expect.poll(async () => workspace.say(client, 'write', { sql })).toContain('Changed 1 row');
  expect(await workspace.rows(client, 'SELECT count(*) FROM customers')).toEqual([[4]]);
});

test('a statement that fails half-way leaves nothing behind', async () => {
  using workspace = new Workspace('CREATE TABLE t(v INTEGER CHECK (v < 3)); INSERT INTO t VALUES (0)');
  await using client = await workspace.connect({ allowWrite: true });
  const text = await workspace.say(client, 'write', { sql: 'INSERT INTO t VALUES (1), (2), (3)' });
  expect(text).toBe('ERROR SQLITE_CONSTRAINT_CHECK: CHECK constraint failed: v < 3');
  expect(await workspace.rows(client, 'SELECT v FROM t')).toEqual([[0]]);
  expect(await workspace.say(client, 'write', { sql: 'INSERT INTO t VALUES (1)' })).toContain(
    'Changed 1 row',
  );
});

test.each(['2025-11-25', '2026-07-28'])('asks before much is lost, at %s', async (protocolVersion) => {
  using workspace = new Workspace();
  const asked: string[] = [];
  let confirm = false;
  await using client = await workspace.connect({
    allowWrite: true,
    protocolVersion,
    elicit: async ({ message }) => {
      asked.push(message);
      return { action: 'accept', content: { confirm } };
    },
  });
  const write = (sql: string) => workspace.say(client, 'write', { sql });
  expect(await write('DELETE FROM orders')).toBe('ERROR Not done: the user declined');
  expect(await workspace.rows(client, 'SELECT count(*) FROM orders')).toEqual([[3]]);
  confirm = true;
  expect(await write('WITH x AS (SELECT 1 WHERE 1) UPDATE orders SET total = 0')).toContain('Changed 3 rows');
  expect(await write('DROP TABLE orders')).toContain('Changed');
  expect(await write('ALTER TABLE customers DROP COLUMN city')).toContain('Changed');
  expect(asked).toEqual([
    'Delete all 3 rows in "shop"?\n\nDELETE FROM orders',
    'Change all 3 rows in "shop"?\n\nWITH x AS (SELECT 1 WHERE 1) UPDATE orders SET total = 0',
    'Take this away from "shop"?\n\nDROP TABLE orders',
    'Take this away from "shop"?\n\nALTER TABLE customers DROP COLUMN city',
  ]);
  asked.length = 0;
  confirm = false;
  for (const name of ['replace', 'RECURSIVE replace', 'x AS (SELECT 1), replace']) {
    expect(await write(`WITH ${name} AS (SELECT 1) DELETE FROM customers`)).toContain('the user declined');
  }
  expect(asked).toHaveLength(3);
  asked.length = 0;
  await write('DELETE FROM customers WHERE id = 1');
  await write("INSERT INTO customers(name) VALUES ('drop')");
  expect(asked).toEqual([]);
});

test('exports all rows into a new file that is there only once it is whole', async () => {
  using workspace = new Workspace(
    `CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t(v) VALUES ('a,"b"'), (NULL), (x'00ff'), (9007199254740993)`,
  );
  await using client = await workspace.connect({ exportDirectory: workspace.outside });
  const exported = (path: string, format: string, sql = 'SELECT v, v FROM t') =>
    workspace.say(client, 'export', { sql, path, format });
  expect(await exported('t.csv', 'csv')).toBe('{"path":"/outside/t.csv","rows":4,"bytes":81}');
  expect(readFileSync(join(workspace.outside, 't.csv'), 'utf8')).toBe(
    'v,v\r\n"a,""b""","a,""b"""\r\n,\r\nx\'00ff\',x\'00ff\'\r\n9007199254740993,9007199254740993\r\n',
  );
  await exported('t.jsonl', 'jsonl', 'SELECT v, v FROM t LIMIT 1 OFFSET 3');
  expect(readFileSync(join(workspace.outside, 't.jsonl'), 'utf8')).toBe(
    '{"v":{"$int":"9007199254740993"},"v_2":{"$int":"9007199254740993"}}\n',
  );
  expect(await exported('t.csv', 'csv')).toContain('There is something at "t.csv" already');
  expect(await exported('../root/t.csv', 'csv')).toContain('Outside the directory for exports');
  symlinkSync(workspace.root, join(workspace.outside, 'link'));
  expect(await exported('link/t.csv', 'csv')).toContain('Outside the directory for exports');
  expect(await exported('u.csv', 'csv', 'SELECT abs(-9223372036854775808)')).toContain('integer overflow');
  expect(await exported('u.csv', 'csv', 'PRAGMA journal_mode = WAL')).toContain('Only SELECT');
  expect(readdirSync(workspace.outside).toSorted()).toEqual(['link', 'secret.db', 't.csv', 't.jsonl']);
});

test('an export holds every value exactly', async () => {
  using workspace = new Workspace(
    `CREATE TABLE t(v); INSERT INTO t WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 20000) SELECT 'value ' || x FROM c;
     INSERT INTO t VALUES (CAST(x'ff41fe' AS TEXT))`,
  );
  await using client = await workspace.connect({ exportDirectory: workspace.outside });
  const exported = async (path: string, sql: string) => {
    await client.callTool('export', { sql, path, format: path.split('.')[1] });
    return readFileSync(join(workspace.outside, path), 'utf8');
  };
  // What is not UTF-8 is found when much is written already.
  const lines = (await exported('a.csv', 'SELECT v FROM t')).split('\r\n');
  expect([lines.length, lines[1], lines[20_001]]).toEqual([20_003, 'value 1', '"{""$text"":""ff41fe""}"']);
  expect(await exported('b.jsonl', "SELECT CAST(x'ff' AS TEXT) AS v")).toBe('{"v":{"$text":"ff"}}\n');
  expect(await exported('c.csv', 'SELECT 1.0, 1, 9e999, 1e300')).toBe(
    '1.0,1,9e999,1e300\r\n1.0,1,Infinity,1e+300\r\n',
  );
  expect(await exported('d.jsonl', 'SELECT 1 AS a, 2 AS a_2, 3 AS a, 4 AS a')).toBe(
    '{"a":1,"a_2":2,"a_3":3,"a_4":4}\n',
  );
  expect(await workspace.say(client, 'query', { sql: 'SELECT 1 AS a, 2 AS a', format: 'jsonl' })).toBe(
    '{"a":1,"a_2":2}',
  );
});

test('what is found has its exact rowid, and as much text as can be read', async () => {
  using workspace = new Workspace(`
    CREATE VIRTUAL TABLE notes USING fts5(body);
    INSERT INTO notes(rowid, body) VALUES (9007199254740993, 'needle ' || printf('%.*c', 100000, 'q'));
    CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO people VALUES (9007199254740993, 'needle');
  `);
  await using client = await workspace.connect();
  const { structuredContent } = await client.callTool('search', { text: 'needle' });
  const { matches } = structuredContent as { matches: { rowid: unknown; text: string }[] };
  expect(matches.map(({ rowid }) => rowid)).toEqual(Array(2).fill({ $int: '9007199254740993' }));
  expect(matches[0]!.text.length).toBeLessThan(1_000);
  expect(await workspace.say(client, 'search', { text: 'needle', table: 'people' })).toBe(
    'people.name row {"$int":"9007199254740993"}: "needle"',
  );
});

test('an export tells how far it is, and leaves nothing when it is cancelled', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ exportDirectory: workspace.outside });
  const cancel = new AbortController();
  const sql = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c';
  const rows: number[] = [];
  const exported = client.callTool(
    'export',
    { sql, path: 'endless.csv', format: 'csv' },
    {
      signal: cancel.signal,
      progress: (done) => {
        rows.push(done);
        if (rows.length === 3) cancel.abort();
      },
    },
  );
  await expect(exported).rejects.toThrow();
  expect(rows).toEqual(rows.toSorted((a, b) => a - b));
  expect(await workspace.rows(client, 'SELECT 1')).toEqual([[1]]);
  await expect.poll(() => readdirSync(workspace.outside)).toEqual(['secret.db']);
});

test('what has begun to answer when others come is begun again, and nothing of it twice', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({
    exportDirectory: workspace.outside,
    maxBytes: 1024 * 1024 * 1024,
  });
  const numbers = (count: number) =>
    `WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT ${count})`;
  const among = async <Result>(work: Promise<Result>): Promise<Result> => {
    let done = false;
    const others = (async () => {
      while (!done) await workspace.rows(client, 'SELECT 1');
    })();
    await work.finally(() => (done = true));
    await others;
    return work;
  };
  for (const round of [1, 2, 3]) {
    const path = `${round}.csv`;
    const sql = `${numbers(200_000)} SELECT x FROM c`;
    await among(client.callTool('export', { sql, path, format: 'csv' }));
    const lines = readFileSync(join(workspace.outside, path), 'utf8').split('\r\n');
    expect(lines).toHaveLength(200_002);
    expect([lines[1], lines.at(-2)]).toEqual(['1', '200000']);
  }
  const sql = `${numbers(600)} SELECT x, printf('%0100000d', x) FROM c`;
  const { structuredContent } = await among(client.callTool('query', { sql, limit: 1_000 }));
  const { rows } = structuredContent as { rows: unknown[][] };
  expect(rows.map(([x]) => x)).toEqual(Array.from({ length: 600 }, (_, index) => index + 1));
});

test('an export that does not fit ends with that, and leaves nothing', async () => {
  using workspace = new Workspace();
  const limited = `trap '' XFSZ; ulimit -f 200; exec "$0" "$@"`;
  const server = spawnServer({
    command: '/bin/sh',
    args: ['-c', limited, process.execPath, program, '--export', workspace.outside, workspace.path],
    env: { XDG_CACHE_HOME: workspace.outside },
  });
  await using client = await Client.connect(server.channel);
  const sql = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c';
  const args = { sql, path: 'endless.csv', format: 'csv' };
  expect(await workspace.say(client, 'export', args)).toBe('ERROR EFBIG: file too large, write');
  expect(await workspace.rows(client, 'SELECT 1')).toEqual([[1]]);
  expect(readdirSync(workspace.outside).filter((name) => name.includes('endless'))).toEqual([]);
});

test('keeps insights beside the database, for whoever comes next', async () => {
  using workspace = new Workspace();
  {
    await using client = await workspace.connect();
    expect(await workspace.say(client, 'append_insight', { insight: 'Ada buys\nmost' })).toBe(
      'Insight added to memo://insights',
    );
  }
  await using first = await workspace.connect();
  await using second = await workspace.connect();
  await Promise.all([first, second].map((client) => client.callTool('append_insight', { insight: 'Again' })));
  const [contents] = (await first.readResource('memo://insights')).contents;
  const lines = (contents as { text: string }).text.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { insight: string }).insight)).toEqual([
    'Ada buys\nmost',
    'Again',
    'Again',
  ]);
  expect(await workspace.say(first, 'append_insight', { insight: ' ' })).toContain(
    'There is nothing in the insight',
  );
});

test('answers by the names of an older server, and does not list them', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ allowWrite: true });
  expect(await workspace.say(client, 'create_table', { query: 'CREATE TABLE t(x)' })).toBe('Changed 0 rows');
  expect(await workspace.say(client, 'write_query', { query: 'INSERT INTO t VALUES (1)' })).toContain(
    'Changed 1 row',
  );
  expect(await workspace.say(client, 'read_query', { query: 'SELECT x FROM t' })).toBe('{"x":1}');
  await using reader = await workspace.connect();
  expect(await workspace.say(reader, 'write_query', { query: 'DELETE FROM t' })).toBe(
    'ERROR This server only reads\nIt writes where it is started with --allow-write',
  );
});

test('tells several databases apart', async () => {
  using workspace = new Workspace();
  const other = workspace.putDatabase('other.db', 'CREATE TABLE here(x)');
  await using client = await workspace.connect({ paths: [workspace.path, other] });
  expect(await workspace.say(client, 'list_tables')).toBe('ERROR Say which database: "shop", "other"');
  expect(await workspace.say(client, 'list_tables', { database: 'OTHER' })).toBe(
    'here: table, 1 columns, 0 rows',
  );
  expect(await workspace.say(client, 'list_tables', { database: 'third' })).toBe(
    'ERROR No such database: "third"\nThere is "shop", "other"',
  );
  expect(client.instructions).toContain('The databases are "shop", "other"');
});

test('a misspelt dry_run writes nothing', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ allowWrite: true });
  const sql = 'DELETE FROM customers';
  expect(await workspace.say(client, 'write', { sql, dryRun: true })).toContain('dryRun');
  expect(await workspace.rows(client, 'SELECT count(*) FROM customers')).toEqual([[3]]);
});
