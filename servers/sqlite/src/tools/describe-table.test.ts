import { expect, test } from 'vitest';
import { shareProcesses, Workspace } from '../../test/workspace.ts';

shareProcesses();

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
  expect(await workspace.say(client, 'describe_table', { table: 'parent' })).toMatch(
    /^parent: table, 2 columns, 0 rows, strict, without rowid\n\n- a TEXT primary key \(2\) not null\n- b INTEGER primary key not null\n/,
  );
  expect(await workspace.say(client, 'describe_table', { table: 'chidl' })).toBe(
    'ERROR SQLITE_ERROR: no such table: chidl\nDid you mean "child"?',
  );
});

test('a slow view is described without its row count, and a broken view with its error', async () => {
  using workspace = new Workspace(`
    CREATE VIEW endless AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) AS n FROM c;
    CREATE VIEW broken AS SELECT * FROM gone;
  `);
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'describe_table', { table: 'endless' })).toMatch(
    /^endless: view, 1 columns\n\n- n\n\nCREATE VIEW endless/,
  );
  const broken = await client.callTool('describe_table', { table: 'broken' });
  expect(broken.isError).toBeUndefined();
  expect((broken.content[0] as { text: string }).text).toBe(
    'broken: view, 0 columns\n\nCannot be read: no such table: main.gone\n\nCREATE VIEW broken AS SELECT * FROM gone',
  );
});

test('table_name, the argument of the archived official server, works too', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'describe_table', { table_name: 'orders' })).toContain('orders: table');
  expect(await workspace.say(client, 'describe_table', { table: 'orders', tabel: 1 })).toContain('tabel');
});
