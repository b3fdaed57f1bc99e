import { fileURLToPath } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { expect, test, vi } from 'vitest';
import { OtherProcess } from '../../test/database-process.ts';
import { shareProcesses, Workspace } from '../../test/workspace.ts';

// The tests wait for locks and time limits.
vi.setConfig({ testTimeout: 120_000 });

shareProcesses();

const program = fileURLToPath(new URL('../../dist/main.cjs', import.meta.url));

test('runs one statement, reports the changes, and rolls a dry run back', async () => {
  using workspace = new Workspace(`
    CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t(v) VALUES ('a'), ('b');
    CREATE TABLE log(what); CREATE TRIGGER noted AFTER DELETE ON t BEGIN INSERT INTO log VALUES (old.v); END;
  `);
  await using client = await workspace.connect({ allowWrite: true });
  const before = workspace.disk;
  expect(await workspace.say(client, 'write', { sql: 'DELETE FROM t', dry_run: true })).toBe(
    'Would change 2 rows, 4 including triggers and foreign keys\nDry run: nothing was changed; the write would have no undo',
  );
  expect(workspace.disk).toBe(before);
  const inserted = { sql: 'INSERT INTO t(v) VALUES (?)', params: [1] };
  expect(await workspace.say(client, 'write', inserted)).toBe(
    'Changed 1 row\nLast inserted rowid: 3\nNo undo; nothing that was there before has changed',
  );
  expect(await workspace.rows(client, 'SELECT v, typeof(v) FROM t WHERE id = 3')).toEqual([[1, 'integer']]);
  expect(
    await workspace.say(client, 'write', { sql: "UPDATE t SET v = 'c' WHERE id > 1 RETURNING id, v" }),
  ).toBe('Changed 2 rows\nid, v\n[2,"c"]\n[3,"c"]\nNo undo');
  expect(await workspace.say(client, 'write', { sql: 'CREATE TABLE u(x)' })).toBe(
    'Changed 0 rows, created table u\nUndo: DROP TABLE "u"',
  );
  expect(await workspace.say(client, 'write', { sql: 'SELECT 1' })).toContain('\nUse the tool query');
  expect(await workspace.say(client, 'write', { sql: 'WITH x AS (SELECT 1) SELECT * FROM x' })).toBe(
    'ERROR This statement only reads; expected one that writes\nUse the tool query',
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

test('temporary objects are refused, and hide no table from the next statement', async () => {
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
      'ERROR Temporary tables, views and triggers are not supported: they would not outlive the statement\n' +
        'Leave out TEMP, or use a WITH clause in the statement that needs the rows',
    );
  }
  expect(await write("INSERT INTO customers(name) VALUES ('Dora')")).toContain('Changed 1 row');
  expect(await workspace.rows(client, 'SELECT count(*) FROM customers')).toEqual([[4]]);
});

test('lastInsertRowid is returned only for an insert into a table with rowids', async () => {
  using workspace = new Workspace(`
    CREATE TABLE t(id INTEGER PRIMARY KEY, v); CREATE TABLE "a ""b"" c"(v); CREATE TABLE k(k PRIMARY KEY) WITHOUT ROWID;
    CREATE VIEW w AS SELECT 1 AS v; CREATE TRIGGER i INSTEAD OF INSERT ON w BEGIN INSERT INTO t(v) VALUES (new.v); END`);
  await using client = await workspace.connect({ allowWrite: true });
  const rowid = async (sql: string) => {
    const text = await workspace.say(client, 'write', { sql });
    const found = /^Last inserted rowid: (.+)$/m.exec(text)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  expect(await rowid('INSERT INTO t VALUES (7, 1)')).toBe(7);
  expect(await rowid('INSERT INTO k VALUES (1)')).toBeUndefined();
  expect(await rowid('INSERT INTO w VALUES (1)')).toBeUndefined();
  expect(await rowid('INSERT INTO main."a ""b"" c" VALUES (1)')).toBe(1);
  expect(await rowid('INSERT INTO t VALUES (7, 1) ON CONFLICT DO UPDATE SET v = 2')).toBeUndefined();
  expect(await rowid('/* once more */ REPLACE INTO t VALUES (9, 1)')).toBe(9);
});

test('the rows of RETURNING stay within max-bytes', async () => {
  using workspace = new Workspace(
    `CREATE TABLE t(v); INSERT INTO t WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 100) SELECT printf('%.*c', 1000, 'x') FROM c`,
  );
  await using client = await workspace.connect({ allowWrite: true, maxBytes: 20_000 });
  const sql = 'UPDATE t SET v = v WHERE 1 RETURNING v';
  const lines = (await workspace.say(client, 'write', { sql })).split('\n');
  expect([lines[0], lines.length - 4, lines.at(-2)]).toEqual([
    'Changed 100 rows',
    19,
    'The first 19 of 100 returned rows; read the others with query',
  ]);
});

test('a write that times out says whether it may have been committed', async () => {
  using workspace = new Workspace();
  // Also on a busy machine, this is enough to start a process and to come to the end of a write.
  const args = [program, '--allow-write', '--timeout', '4000', workspace.path];
  await using client = await Client.connect(spawnServer({ command: process.execPath, args }).channel);
  const sql = "INSERT INTO customers(name) VALUES ('Dora')";
  using other = new OtherProcess(workspace.path);
  await other.run('BEGIN IMMEDIATE');
  expect(await workspace.say(client, 'write', { sql })).toBe(
    'ERROR SQLITE_INTERRUPT: Not finished within 4000 ms\nNothing was written',
  );
  await other.run('ROLLBACK; BEGIN; SELECT count(*) FROM customers');
  expect(await workspace.say(client, 'write', { sql })).toBe(
    'ERROR SQLITE_INTERRUPT: Not finished within 4000 ms\n' +
      'The commit had begun: check whether the change was made before you try again',
  );
  await other.run('COMMIT');
  await expect.poll(async () => workspace.say(client, 'write', { sql })).toContain('Changed 1 row');
  expect(await workspace.rows(client, 'SELECT count(*) FROM customers')).toEqual([[4]]);
});

test('a statement that fails halfway is rolled back', async () => {
  using workspace = new Workspace('CREATE TABLE t(v INTEGER CHECK (v < 3)); INSERT INTO t VALUES (0)');
  await using client = await workspace.connect({ allowWrite: true });
  const text = await workspace.say(client, 'write', { sql: 'INSERT INTO t VALUES (1), (2), (3)' });
  expect(text).toBe('ERROR SQLITE_CONSTRAINT_CHECK: CHECK constraint failed: v < 3');
  expect(await workspace.rows(client, 'SELECT v FROM t')).toEqual([[0]]);
  expect(await workspace.say(client, 'write', { sql: 'INSERT INTO t VALUES (1)' })).toContain(
    'Changed 1 row',
  );
});

test.each(['2025-11-25', '2026-07-28'])(
  'asks for confirmation before a destructive statement, at %s',
  async (revision) => {
    using workspace = new Workspace();
    const asked: string[] = [];
    let confirm = false;
    await using client = await workspace.connect({
      allowWrite: true,
      revision,
      elicit: async ({ message }) => {
        asked.push(message);
        return { action: 'accept', content: { confirm } };
      },
    });
    const write = (sql: string) => workspace.say(client, 'write', { sql });
    expect(await write('DELETE FROM orders')).toBe('ERROR Not done: the user declined');
    expect(await workspace.rows(client, 'SELECT count(*) FROM orders')).toEqual([[3]]);
    confirm = true;
    expect(await write('WITH x AS (SELECT 1 WHERE 1) UPDATE orders SET total = 0')).toContain(
      'Changed 3 rows',
    );
    expect(await write('DROP TABLE orders')).toBe(
      'Changed 0 rows, dropped table orders with 3 rows\nNo undo',
    );
    expect(await write('ALTER TABLE customers DROP COLUMN city')).toContain('Changed');
    expect(asked).toEqual([
      'Delete all 3 rows of "orders" in "shop"?\n\nDELETE FROM orders',
      'Change all 3 rows of "orders" in "shop"?\n\nWITH x AS (SELECT 1 WHERE 1) UPDATE orders SET total = 0',
      'Run this statement in "shop"? It cannot be undone\n\nDROP TABLE orders',
      'Run this statement in "shop"? It cannot be undone\n\nALTER TABLE customers DROP COLUMN city',
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
  },
);

test('a misspelled dry_run is refused, and nothing is written', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ allowWrite: true });
  const sql = 'DELETE FROM customers';
  expect(await workspace.say(client, 'write', { sql, dry_rum: true })).toContain('dry_rum');
  expect(await workspace.rows(client, 'SELECT count(*) FROM customers')).toEqual([[3]]);
});

test('RETURNING keeps the decimal point of a real and the sign of -0.0', async () => {
  using workspace = new Workspace('CREATE TABLE t(v)');
  await using client = await workspace.connect({ allowWrite: true });
  const text = await workspace.say(client, 'write', {
    sql: 'INSERT INTO t VALUES (1.0), (-0.0) RETURNING v',
  });
  expect(text).toContain('v\n[1.0]\n[-0.0]');
});

test.each([
  ['DELETE … WHERE 1', 'DELETE FROM orders WHERE 1', 'Delete all 3 rows of "orders" in "shop"?'],
  ['DELETE … WHERE true', 'DELETE FROM orders WHERE true', 'Delete all 3 rows of "orders" in "shop"?'],
  [
    'a WHERE that every row meets',
    'DELETE FROM orders WHERE id > 0',
    'Delete all 3 rows of "orders" in "shop"?',
  ],
  [
    'an UPDATE of every row',
    'UPDATE orders SET total = 0 WHERE id > 0',
    'Change all 3 rows of "orders" in "shop"?',
  ],
  [
    'REPLACE … SELECT',
    'REPLACE INTO orders SELECT id, NULL, 0 FROM orders',
    'Change all 3 rows of "orders" in "shop"? It cannot be undone',
  ],
  [
    'an upsert',
    'INSERT INTO orders SELECT id, NULL, 0 FROM orders WHERE 1 ON CONFLICT DO UPDATE SET total = 0',
    'Change all 3 rows of "orders" in "shop"? It cannot be undone',
  ],
  [
    'an INSTEAD OF trigger',
    'DELETE FROM every WHERE id = 1',
    'Delete all 3 rows of "orders" in "shop"? It cannot be undone',
  ],
  [
    'a cascade',
    'DELETE FROM parents WHERE id = 1',
    'Delete all 2 rows of "children" in "shop"? It cannot be undone',
  ],
  [
    'a full-text table',
    'DELETE FROM words WHERE rowid > 0',
    'Delete all 2 rows of "words" in "shop"? It cannot be undone',
  ],
  [
    'an UPDATE of FTS5',
    "UPDATE words SET word = '' WHERE rowid > 0",
    'Change all 2 rows of "words" in "shop"? It cannot be undone',
  ],
])('%s needs confirmation, and nothing is changed without it', async (_, sql, question) => {
  using workspace = new Workspace();
  workspace.make(
    workspace.path,
    `CREATE VIEW every AS SELECT * FROM orders;
     CREATE TRIGGER clear INSTEAD OF DELETE ON every BEGIN DELETE FROM orders; END;
     CREATE TABLE parents(id INTEGER PRIMARY KEY); INSERT INTO parents VALUES (1), (2), (3);
     CREATE TABLE children(p REFERENCES parents ON DELETE CASCADE); INSERT INTO children VALUES (1), (1);
     CREATE VIRTUAL TABLE words USING fts5(word); INSERT INTO words VALUES ('one'), ('two');`,
  );
  const asked: string[] = [];
  await using client = await workspace.connect({
    allowWrite: true,
    elicit: async ({ message }) => {
      asked.push(message);
      return { action: 'accept', content: { confirm: false } };
    },
  });
  expect(await workspace.say(client, 'write', { sql })).toBe('ERROR Not done: the user declined');
  expect(asked).toEqual([`${question}\n\n${sql}`]);
  expect(
    await workspace.rows(client, 'SELECT (SELECT sum(total) FROM orders), (SELECT count(*) FROM children)'),
  ).toEqual([[19.75, 2]]);
});

test('statements that keep other rows need no confirmation', async () => {
  using workspace = new Workspace();
  workspace.make(
    workspace.path,
    `CREATE TABLE log(what); INSERT INTO log VALUES (1), (2);
     CREATE VIRTUAL TABLE words USING fts5(word); INSERT INTO words VALUES ('one'), ('two'), ('three');
     CREATE TRIGGER noted AFTER UPDATE ON orders BEGIN INSERT INTO log VALUES (new.id); END;`,
  );
  const asked: string[] = [];
  await using client = await workspace.connect({
    allowWrite: true,
    elicit: async ({ message }) => {
      asked.push(message);
      return { action: 'decline' };
    },
  });
  for (const sql of [
    'UPDATE orders SET total = 0 WHERE id < 3',
    'DELETE FROM orders WHERE id = 1',
    "INSERT INTO customers(name) VALUES ('a'), ('b'), ('c'), ('d'), ('e')",
    "REPLACE INTO customers VALUES (1, 'x', 'y')",
    "INSERT INTO customers VALUES (1, 'x', 'y') ON CONFLICT DO UPDATE SET name = 'z'",
    'CREATE TABLE one(id INTEGER PRIMARY KEY, v)',
    'INSERT INTO one VALUES (1, 1)',
    'UPDATE one SET v = 2 WHERE id = 1',
    "UPDATE words SET word = '' WHERE rowid < 3",
    'DELETE FROM words WHERE rowid = 1',
  ]) {
    expect(await workspace.say(client, 'write', { sql }), sql).toContain('Changed');
  }
  expect(asked).toEqual([]);
});

test('runs several statements in one transaction, all or none, and reports the changes of each', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ allowWrite: true });
  const transfer = {
    sql: 'UPDATE orders SET total = total - :sum WHERE id = 1',
    params: { sum: 2 },
    more: [
      { sql: 'UPDATE orders SET total = total + ? WHERE id IN (2, 3)', params: [1] },
      'CREATE TABLE log(what)',
      { sql: "INSERT INTO log VALUES ('transfer') RETURNING rowid" },
    ],
  };
  const before = workspace.disk;
  expect(await workspace.say(client, 'write', { ...transfer, dry_run: true })).toBe(
    '1. Would change 1 row\n2. Would change 2 rows\n3. Would change 0 rows, create table log\n4. Would change 1 row\nrowid\n[1]\n' +
      'Dry run: nothing was changed',
  );
  expect(workspace.disk).toBe(before);
  expect(await workspace.say(client, 'write', transfer)).toBe(
    '1. Changed 1 row\n2. Changed 2 rows\n3. Changed 0 rows, created table log\n4. Changed 1 row\nrowid\n[1]\nUndo, in one write:\n- DROP TABLE "log"\n' +
      '- UPDATE "orders" SET "total" = v.column2 FROM (VALUES (2, 2.5), (3, 7.25)) AS v WHERE "orders".rowid = v.column1\n' +
      '- UPDATE "orders" SET "total" = 10.0 WHERE rowid = 1',
  );
  expect(await workspace.rows(client, 'SELECT total FROM orders')).toEqual([[8], [3.5], [8.25]]);

  const failing = { sql: 'DELETE FROM log', more: [{ sql: 'INSERT INTO customers(name) VALUES (NULL)' }] };
  expect(await workspace.say(client, 'write', failing)).toBe(
    'ERROR SQLITE_CONSTRAINT_NOTNULL: Statement 2 of 2: NOT NULL constraint failed: customers.name',
  );
  expect(await workspace.rows(client, 'SELECT count(*) FROM log')).toEqual([[1]]);
});

test.each(['COMMIT', 'BEGIN', 'PRAGMA foreign_keys = 0', "ATTACH 'x.db' AS x", 'SELECT 1', 'SAVEPOINT s'])(
  'a later statement may not be %s, and the first is not run then',
  async (sql) => {
    using workspace = new Workspace();
    await using client = await workspace.connect({ allowWrite: true });
    const before = workspace.disk;
    const args = { sql: 'DELETE FROM orders', more: [{ sql }] };
    expect(await workspace.say(client, 'write', args)).toMatch(/^ERROR Statement 2 of 2: Only INSERT/);
    expect(
      await workspace.say(client, 'write', { ...args, more: [{ sql: 'DELETE FROM orders', params: 'x' }] }),
    ).toBe('ERROR Invalid params: "x"; expected an array or an object');
    expect(workspace.disk).toBe(before);
  },
);

test('runs one statement for many rows, by position or by name, all or none', async () => {
  using workspace = new Workspace('CREATE TABLE t(a INTEGER PRIMARY KEY, b CHECK (b <> 13))');
  await using client = await workspace.connect({ allowWrite: true });
  const rows = Array.from({ length: 2_000 }, (_, index) => [index + 1, { $int: '9007199254740993' }]);
  const sql = 'INSERT INTO t VALUES (?, ?)';
  expect(await workspace.say(client, 'write', { sql, params: rows })).toBe(
    'Changed 2000 rows\nLast inserted rowid: 2000\nUndo: DELETE FROM "t" WHERE rowid BETWEEN 1 AND 2000',
  );
  expect(
    await workspace.say(client, 'write', {
      sql: 'INSERT INTO t VALUES (:a, :b) RETURNING a',
      params: [
        { a: 3_001, b: { $text: 'ff' } },
        { a: 3_002, b: 'x' },
      ],
    }),
  ).toBe('Changed 2 rows\na\n[3001]\n[3002]\nNo undo; nothing that was there before has changed');
  expect(await workspace.rows(client, 'SELECT b FROM t WHERE a > 3000')).toEqual([[{ $text: 'ff' }], ['x']]);
  for (const [params, words] of [
    [
      [
        [4_001, 1],
        [4_002, 13],
      ],
      'SQLITE_CONSTRAINT_CHECK: Row 2: CHECK constraint failed',
    ],
    [
      [
        [4_001, 1],
        [4_002, 2 ** 53],
      ],
      'Row 2: Invalid parameter 2: JSON numbers',
    ],
    [[[4_001, 1], [4_002]], 'Row 2: Too few parameter values'],
    [[[4_001, 1], 4_002], 'Invalid parameter 1'],
  ] as const) {
    expect(await workspace.say(client, 'write', { sql, params }), words).toContain(words);
  }
  expect(await workspace.rows(client, 'SELECT count(*) FROM t')).toEqual([[2_002]]);
});

test('of 1,000 rows the one that fails is named, also with other statements', async () => {
  using workspace = new Workspace('CREATE TABLE t(a INTEGER PRIMARY KEY, b UNIQUE)');
  await using client = await workspace.connect({ allowWrite: true });
  const params = Array.from({ length: 1_000 }, (_, index) => [index, index === 776 ? 'x500' : `x${index}`]);
  const insert = { sql: 'INSERT INTO t VALUES (?, ?)', params };
  expect(await workspace.say(client, 'write', insert)).toBe(
    'ERROR SQLITE_CONSTRAINT_UNIQUE: Row 777: UNIQUE constraint failed: t.b',
  );
  expect(
    await workspace.say(client, 'write', {
      ...insert,
      sql: `${insert.sql} RETURNING a`,
      more: ['DELETE FROM t'],
    }),
  ).toBe('ERROR SQLITE_CONSTRAINT_UNIQUE: Statement 1 of 2: Row 777: UNIQUE constraint failed: t.b');
  expect(await workspace.rows(client, 'SELECT count(*) FROM t')).toEqual([[0]]);
});

test.each([
  [
    'by three statements',
    {
      sql: 'DELETE FROM orders WHERE id = 1',
      more: ['DELETE FROM orders WHERE id = 2', 'DELETE FROM orders WHERE id = 3'],
    },
  ],
  ['for many rows', { sql: 'DELETE FROM orders WHERE id = ?', params: [[1], [2], [3]] }],
  ['by two statements and a view', { sql: 'DELETE FROM orders WHERE id = 2', more: ['DELETE FROM others'] }],
  [
    'and refilled',
    {
      sql: 'DELETE FROM orders WHERE id = 2',
      more: ['DELETE FROM orders WHERE id <> 2', 'INSERT INTO orders(total) VALUES (1)'],
    },
  ],
])('all rows that are deleted %s need confirmation, and are kept without it', async (_, args) => {
  using workspace = new Workspace();
  workspace.make(
    workspace.path,
    `CREATE VIEW others AS SELECT * FROM orders;
     CREATE TRIGGER clear INSTEAD OF DELETE ON others BEGIN DELETE FROM orders WHERE id = old.id; END;`,
  );
  const asked: string[] = [];
  await using client = await workspace.connect({
    allowWrite: true,
    elicit: async ({ message }) => {
      asked.push(message);
      return { action: 'accept', content: { confirm: false } };
    },
  });
  expect(await workspace.say(client, 'write', args)).toBe('ERROR Not done: the user declined');
  expect(asked).toEqual([expect.stringContaining('Delete all 3 rows of "orders"')]);
  expect(await workspace.rows(client, 'SELECT count(*) FROM orders')).toEqual([[3]]);
});

test.each([
  ['2025-11-25', { sql: 'DELETE FROM orders' }, 5],
  ['2026-07-28', { sql: 'DELETE FROM orders' }, 5],
  ['2026-07-28', { sql: 'DELETE FROM orders WHERE id > 0', more: ['DROP TABLE customers'] }, 5],
  ['2026-07-28', { sql: 'UPDATE orders SET total = 0' }, 5],
] as const)('at %s, rows that are added during the question are kept: %j', async (revision, args, count) => {
  using workspace = new Workspace();
  let adds = true;
  await using client = await workspace.connect({
    allowWrite: true,
    revision,
    elicit: async () => {
      if (adds) workspace.make(workspace.path, 'INSERT INTO orders(total) VALUES (5), (6)');
      adds = false;
      return { action: 'accept', content: { confirm: true } };
    },
  });
  const before = () => workspace.rows(client, 'SELECT count(*), sum(total > 0) FROM orders');
  expect(await workspace.say(client, 'write', args)).toMatch(
    /^ERROR (?:Statement 1 of 2: )?The rows have changed since the confirmation: the statement would now affect 5 rows instead of 3\nNothing was changed; repeat the write, and confirm it again$/,
  );
  expect(await before()).toEqual([[count, count]]);
  expect(await workspace.say(client, 'write', args)).toMatch(/Changed 5 rows/);
});

test.each([
  ['alone', { sql: 'DROP TABLE orders' }],
  ['with others', { sql: 'DROP TABLE IF EXISTS "orders";', more: ['CREATE TABLE orders(id)'] }],
])('a table %s to which rows are added during the question is not dropped', async (_, args) => {
  using workspace = new Workspace();
  let adds = true;
  await using client = await workspace.connect({
    allowWrite: true,
    elicit: async () => {
      if (adds) workspace.make(workspace.path, 'INSERT INTO orders(total) VALUES (5)');
      adds = false;
      return { action: 'accept', content: { confirm: true } };
    },
  });
  expect(await workspace.say(client, 'write', args)).toMatch(
    /^ERROR (?:Statement 1 of 2: )?The database has changed since the confirmation: now drop table orders with 4 rows instead of drop table orders with 3 rows\nNothing was changed; repeat the write, and confirm it again$/,
  );
  expect(await workspace.rows(client, 'SELECT count(*) FROM orders')).toEqual([[4]]);
  expect(await workspace.say(client, 'write', args)).toContain('dropped table orders with 4 rows');
});

test.each([
  ['deleted', { sql: 'DELETE FROM orders' }, 'orders'],
  ['deleted by a condition', { sql: 'DELETE FROM orders WHERE id > 0' }, 'orders'],
  ['deleted as the only one', { sql: 'DELETE FROM notes' }, 'notes'],
  ['changed', { sql: 'UPDATE orders SET total = 0', more: ['DELETE FROM notes'] }, 'orders'],
  ['dropped', { sql: 'DROP TABLE orders' }, 'orders'],
])('rows that replace as many during the question are not %s', async (_, args, table) => {
  using workspace = new Workspace();
  workspace.make(workspace.path, "CREATE TABLE notes(total); INSERT INTO notes VALUES ('old')");
  let replaces = true;
  await using client = await workspace.connect({
    allowWrite: true,
    elicit: async () => {
      const id = `(SELECT max(rowid) FROM ${table})`;
      if (replaces) {
        workspace.make(
          workspace.path,
          `DELETE FROM ${table} WHERE rowid = ${id}; INSERT INTO ${table}(total) VALUES ('new')`,
        );
      }
      replaces = false;
      return { action: 'accept', content: { confirm: true } };
    },
  });
  expect(await workspace.say(client, 'write', args)).toBe(
    `ERROR The rows of "${table}" have changed since the confirmation\nNothing was changed; repeat the write, and confirm it again`,
  );
  expect(await workspace.rows(client, `SELECT total FROM ${table} WHERE total = 'new'`)).toEqual([['new']]);
  expect(await workspace.say(client, 'write', args)).toMatch(/Changed/);
});

test.each([
  'DELETE FROM vacant',
  'UPDATE vacant SET x = 1',
  'DROP TABLE IF EXISTS missing',
  'DROP VIEW IF EXISTS missing',
])('%s loses nothing, and asks nothing', async (sql) => {
  using workspace = new Workspace();
  workspace.make(workspace.path, 'CREATE TABLE vacant(x)');
  const asked: string[] = [];
  await using client = await workspace.connect({
    allowWrite: true,
    elicit: async ({ message }) => {
      asked.push(message);
      return { action: 'decline' };
    },
  });
  expect(await workspace.say(client, 'write', { sql })).toBe('Changed 0 rows');
  expect(asked).toEqual([]);
});

test('several statements need one confirmation, which lists what they lose', async () => {
  using workspace = new Workspace();
  const asked: string[] = [];
  let confirm = false;
  await using client = await workspace.connect({
    allowWrite: true,
    elicit: async ({ message }) => {
      asked.push(message);
      return { action: 'accept', content: { confirm } };
    },
  });
  const args = {
    sql: "INSERT INTO customers(name) VALUES ('Dora')",
    more: [{ sql: 'DELETE FROM orders WHERE id > 0' }, { sql: 'DROP TABLE orders' }],
  };
  expect(await workspace.say(client, 'write', args)).toBe('ERROR Not done: the user declined');
  expect(asked).toEqual([
    'Run 3 statements in "shop"? They lose data, and cannot be undone:\n- Delete all 3 rows of "orders"\n- DROP TABLE orders',
  ]);
  expect(await workspace.rows(client, 'SELECT count(*) FROM customers, orders')).toEqual([[9]]);
  confirm = true;
  expect(await workspace.say(client, 'write', args)).toContain('2. Changed 3 rows');
  expect(asked).toHaveLength(2);
});

test('timeout_ms ends a long write, and nothing of it is written', async () => {
  using workspace = new Workspace('CREATE TABLE t(v)');
  await using client = await workspace.connect({ allowWrite: true });
  const sql = 'INSERT INTO t WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c';
  expect(await workspace.say(client, 'write', { sql, timeout_ms: 700 })).toBe(
    'ERROR SQLITE_INTERRUPT: Not finished within 700 ms\nNothing was written',
  );
  expect(await workspace.say(client, 'write', { sql: 'INSERT INTO t VALUES (1)' })).toContain(
    'Changed 1 row',
  );
  expect(await workspace.rows(client, 'SELECT v FROM t')).toEqual([[1]]);
});
