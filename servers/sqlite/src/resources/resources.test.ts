import { expect, test } from 'vitest';
import { problem, shareProcesses, Workspace } from '../../test/workspace.ts';

shareProcesses();

async function read(workspace: Workspace, uri: string): Promise<unknown> {
  await using client = await workspace.connect();
  const { contents } = await client.readResource(uri);
  return JSON.parse((contents[0] as { text: string }).text);
}

test('a schema, a table, its rows and a row read as JSON', async () => {
  using workspace = new Workspace();
  expect(await read(workspace, 'sqlite://shop/schema')).toEqual({
    tables: [
      { name: 'customers', kind: 'table', columns: 3 },
      { name: 'orders', kind: 'table', columns: 3 },
    ],
    sql:
      'CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);\n\n' +
      'CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), total REAL);',
  });
  expect(await read(workspace, 'sqlite://SHOP/table/Customers')).toMatchObject({
    name: 'customers',
    count: 3,
    details: [{ name: 'id' }, { name: 'name' }, { name: 'city' }],
    rows: [
      [1, 'Ada', 'Oslo'],
      [2, 'Ben', 'Turin'],
      [3, 'Chiara', null],
    ],
  });
  expect(await read(workspace, 'sqlite://shop/table/customers/rows?limit=1')).toEqual({
    table: 'customers',
    columns: ['id', 'name', 'city'],
    rows: [[1, 'Ada', 'Oslo']],
    nextCursor: expect.any(String),
  });
  expect(await read(workspace, 'sqlite://shop/row/customers/2')).toEqual({
    table: 'customers',
    row: { id: 2, name: 'Ben', city: 'Turin' },
  });
});

test('a row is found by a key of text, of several columns, and of values that JSON has no number for', async () => {
  using workspace = new Workspace(`
    CREATE TABLE words(word TEXT PRIMARY KEY, n) WITHOUT ROWID; INSERT INTO words VALUES ('a/b c', 1), ('[1]', 2);
    CREATE TABLE pairs(a TEXT, b INTEGER, v, PRIMARY KEY (a, b)) WITHOUT ROWID; INSERT INTO pairs VALUES ('x,y', 2, 'z');
    CREATE TABLE large(id INTEGER PRIMARY KEY, v); INSERT INTO large VALUES (9007199254740993, 'far');
    CREATE VIEW seen AS SELECT 1 AS one;
  `);
  const row = (table: string, key: string) =>
    read(workspace, `sqlite://shop/row/${table}/${encodeURIComponent(key)}`);
  expect(await row('words', 'a/b c')).toMatchObject({ row: { n: 1 } });
  expect(await row('words', '["[1]"]')).toMatchObject({ row: { n: 2 } });
  expect(await row('pairs', '["x,y",2]')).toMatchObject({ row: { v: 'z' } });
  expect(await row('large', '9007199254740993')).toMatchObject({
    row: { v: 'far', id: { $int: '9007199254740993' } },
  });
  expect(await row('large', '{"$int":"9007199254740993"}')).toMatchObject({ row: { v: 'far' } });
  expect(await problem(() => row('pairs', 'x'))).toContain(
    'has 2 columns; expected a JSON array of their values',
  );
  expect(await problem(() => row('seen', '1'))).toContain('is a view: its rows have no key');
  expect(await problem(() => row('words', '[broken'))).toContain('Invalid key');
});

test('a row is found by its primary key, and by its rowid only where there is none', async () => {
  using workspace = new Workspace(`
    CREATE TABLE codes(code TEXT PRIMARY KEY); INSERT INTO codes VALUES ('5'), ('1'), ('2');
    CREATE TABLE numbers(n INT PRIMARY KEY, v); INSERT INTO numbers VALUES (7, 'seven'), (1, 'one');
    CREATE TABLE pairs(a, b, v, PRIMARY KEY (b, a)); INSERT INTO pairs VALUES (1, 2, 'z');
    CREATE TABLE heap(v); INSERT INTO heap VALUES ('first'), ('second');
  `);
  const row = (table: string, key: string) =>
    read(workspace, `sqlite://shop/row/${table}/${encodeURIComponent(key)}`);
  expect(await row('codes', '1')).toMatchObject({ row: { code: '1' } });
  expect(await row('codes', '5')).toMatchObject({ row: { code: '5' } });
  expect(await problem(() => row('codes', '3'))).toContain('No row');
  expect(await row('numbers', '1')).toMatchObject({ row: { v: 'one' } });
  expect(await row('pairs', '[2,1]')).toMatchObject({ row: { v: 'z' } });
  expect(await row('heap', '2')).toMatchObject({ row: { v: 'second' } });
});

test('pages contain rows whose primary key is NULL, which SQLite permits', async () => {
  using workspace = new Workspace(`
    CREATE TABLE descending(id INTEGER PRIMARY KEY DESC, v);
    INSERT INTO descending VALUES (NULL, 1), (3, 2), (NULL, 3), (1, 4);
  `);
  const seen: unknown[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page = (await read(workspace, `sqlite://shop/table/descending/rows?limit=1${cursor}`)) as {
      rows: unknown[][];
      nextCursor?: string;
    };
    seen.push(...page.rows.map(([, v]) => v));
    cursor = page.nextCursor === undefined ? undefined : `&cursor=${page.nextCursor}`;
  }
  expect(seen).toHaveLength(4);
  expect(new Set(seen)).toEqual(new Set([1, 2, 3, 4]));
});

test('a missing table or row is a missing resource, and an invalid limit or cursor is refused', async () => {
  using workspace = new Workspace();
  for (const [uri, words] of [
    ['sqlite://other/schema', 'No such resource: "sqlite://other/schema"'],
    ['sqlite://shop/table/custmers', 'no such table: custmers\nDid you mean "customers"?'],
    ['sqlite://shop/row/customers/9', 'No row "9" in "customers"'],
    ['sqlite://shop/table/customers/rows?limit=0', 'Invalid limit: "0"; expected an integer from 1 to 1000'],
    ['sqlite://shop/table/customers/rows?cursor=x', 'Invalid cursor: "x"'],
    ['sqlite://shop/nothing', 'No such resource'],
  ] as const) {
    expect(await problem(() => read(workspace, uri)), uri).toContain(words);
  }
});

test('schemas and tables are listed, and databases and tables complete', async () => {
  using workspace = new Workspace();
  const other = workspace.putDatabase('a b.db', 'CREATE TABLE "c/d"(x)');
  await using client = await workspace.connect({ paths: [workspace.path, other] });
  expect((await client.listResources()).map(({ uri }) => uri).toSorted()).toEqual([
    'memo://insights',
    'sqlite://a%20b/schema',
    'sqlite://a%20b/table/c%2Fd',
    'sqlite://shop/schema',
    'sqlite://shop/table/customers',
    'sqlite://shop/table/orders',
  ]);
  expect((await client.readResource('sqlite://a%20b/table/c%2Fd')).contents).toHaveLength(1);
  const complete = async (name: string, value: string, others = {}) =>
    (await client.complete({ resource: 'sqlite://{database}/table/{table}' }, { name, value }, others))
      .values;
  expect(await complete('database', 'S')).toEqual(['shop']);
  expect(await complete('table', 'c')).toEqual(['customers', 'c/d']);
  expect(await complete('table', '', { database: 'shop' })).toEqual(['customers', 'orders']);
});

test('resources keep the decimal point of a real and the sign of -0.0', async () => {
  using workspace = new Workspace(
    'CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t(v) VALUES (1.0), (-0.0)',
  );
  await using client = await workspace.connect();
  const text = async (uri: string) => {
    const { contents } = await client.readResource(uri);
    return (contents[0] as { text: string }).text.replaceAll(/\s/g, '');
  };
  for (const uri of ['sqlite://shop/table/t', 'sqlite://shop/table/t/rows']) {
    expect(await text(uri), uri).toContain('[[1,1.0],[2,-0.0]]');
  }
  expect(await text('sqlite://shop/row/t/1')).toContain('"v":1.0');
});

test('pages continue after a key of any length', async () => {
  using workspace = new Workspace(
    "CREATE TABLE t(k TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO t VALUES ('a'), ('b' || printf('%.*c', 400000, 'x')), ('c'), ('d')",
  );
  const seen: unknown[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page = (await read(workspace, `sqlite://shop/table/t/rows?limit=1${cursor}`)) as {
      rows: unknown[][];
      nextCursor?: string;
    };
    seen.push(...page.rows.flat());
    cursor = page.nextCursor === undefined ? undefined : `&cursor=${page.nextCursor}`;
  }
  expect(seen).toEqual(['a', expect.objectContaining({ bytes: 400_001 }), 'c', 'd']);
});
