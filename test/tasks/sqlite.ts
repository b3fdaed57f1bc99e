import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { serverProgram } from '../server-program.ts';
import { peerFile } from './peer-program.ts';
import type { Task, TaskSet } from './task.ts';

const tools = 'mcp-sqlite-tools';
const dbhub = 'dbhub';

const noFiles = 'it reads and writes no files';

const schema = `
  CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT NOT NULL, tel TEXT);
  CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id) ON DELETE CASCADE, placed TEXT, total INTEGER);
  CREATE TABLE items(order_id INTEGER REFERENCES orders(id) ON DELETE CASCADE, product TEXT);
  CREATE TABLE accounts(id INTEGER PRIMARY KEY, balance INTEGER CHECK (balance >= 0));
  CREATE TABLE log(what TEXT);
  CREATE TABLE prices_old(product TEXT, price INTEGER); CREATE TABLE prices_new(product TEXT, price INTEGER);
  CREATE TABLE notes(id INTEGER PRIMARY KEY, note TEXT);
  WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 300)
    INSERT INTO customers SELECT x, 'customer ' || x, iif(x % 3 = 0, NULL, '+41 ' || x) FROM c;
  WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 3000)
    INSERT INTO orders SELECT x, x % 300 + 1, printf('20%02d-%02d-%02d', 19 + x % 7, x % 12 + 1, x % 28 + 1), x % 97 FROM c;
  INSERT INTO items SELECT id, 'product ' || (id % 5) FROM orders UNION ALL SELECT id, 'gift' FROM orders WHERE id % 10 = 0;
  INSERT INTO accounts VALUES (1, 500), (2, 20);
  WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 400)
    INSERT INTO prices_old SELECT 'product ' || x, x FROM c;
  INSERT INTO prices_new SELECT product, iif(price % 100 = 0, price + 5, price) FROM prices_old WHERE price <> 17;
  INSERT INTO notes(note) VALUES ('call back'), ('asked for a refund of 12'), ('ok');
`;

const database = (world: string) => join(world, 'shop.db');

function shop(world: string): void {
  mkdirSync(world);
  const made = new DatabaseSync(database(world));
  made.exec(`PRAGMA synchronous = OFF; BEGIN; ${schema} COMMIT`);
  made.close();
}

/** The rows of a query on the database of a task, or on a file beside it. */
function rows(world: string, sql: string, file = 'shop.db'): unknown[] {
  const opened = new DatabaseSync(join(world, file), { readOnly: true });
  try {
    return opened
      .prepare(sql)
      .all()
      .map((row) => Object.values(row));
  } finally {
    opened.close();
  }
}

const sales = Array.from({ length: 2_000 }, (_, index) => ({
  id: index + 1,
  day: `2026-${String((index % 12) + 1).padStart(2, '0')}-01`,
  zip: String(index % 10_000).padStart(5, '0'),
  amount: (index % 50) + 0.25,
}));

const slowQuery = 'SELECT total FROM orders WHERE customer_id = 42 ORDER BY placed';
const before2020 = "placed < '2020-01-01'";

const importing: readonly Task[] = [
  {
    id: 'S01',
    wish: 'Import the 2,000 sales in sales.csv into a new table, and keep the zeros of the zip codes',
    world(world) {
      shop(world);
      const lines = sales.map(({ id, day, zip, amount }) => `${id},${day},${zip},${amount}`);
      writeFileSync(join(world, 'sales.csv'), `id,day,zip,amount\n${lines.join('\n')}\n`);
    },
    async ours(session) {
      await session.call('import', { path: 'sales.csv', table: 'sales' });
    },
    peers: {
      async [tools](session, world) {
        // Without types, so that the zip codes stay texts.
        await session.call('import_csv', {
          table: 'sales',
          file_path: join(world, 'sales.csv'),
          coerce_types: false,
        });
      },
      async [dbhub](session, world) {
        const [, ...lines] = readFileSync(join(world, 'sales.csv'), 'utf8').trimEnd().split('\n');
        const values = lines
          .map((line) => line.split(','))
          .map(([id, day, zip, amount]) => `(${id},'${day}','${zip}',${amount})`);
        await session.call('execute_sql', {
          sql: `CREATE TABLE sales(id INTEGER, day TEXT, zip TEXT, amount REAL); INSERT INTO sales VALUES ${values.join(',')}`,
        });
      },
    },
    verify(world) {
      expect(rows(world, "SELECT count(*), sum(amount), sum(zip = '00042') FROM sales")).toEqual([
        [2_000, 49_500, 1],
      ]);
    },
  },
  {
    id: 'S02',
    wish: 'Load events.json, 500 objects, into a table of its own',
    world(world) {
      shop(world);
      const events = Array.from({ length: 500 }, (_, index) => ({
        at: index * 60,
        kind: index % 2 ? 'view' : 'buy',
      }));
      writeFileSync(join(world, 'events.json'), JSON.stringify(events));
    },
    async ours(session) {
      await session.call('import', { path: 'events.json', table: 'events' });
    },
    peers: {
      async [tools](session, world) {
        const data = JSON.parse(readFileSync(join(world, 'events.json'), 'utf8')) as object[];
        const columns = [
          { name: 'at', type: 'INTEGER' },
          { name: 'kind', type: 'TEXT' },
        ];
        await session.call('create_table', { name: 'events', columns });
        await session.call('bulk_insert', { table: 'events', data });
      },
      async [dbhub](session, world) {
        const json = readFileSync(join(world, 'events.json'), 'utf8');
        await session.call('execute_sql', {
          sql: `CREATE TABLE events AS SELECT value ->> 'at' AS at, value ->> 'kind' AS kind FROM json_each('${json}')`,
        });
      },
    },
    verify(world) {
      expect(rows(world, "SELECT count(*), max(at), sum(kind = 'buy') FROM events")).toEqual([
        [500, 29_940, 250],
      ]);
    },
  },
];

const writing: readonly Task[] = [
  {
    id: 'S03',
    wish: 'Move 100 from account 1 to account 2 and log it, all or nothing',
    world: shop,
    async ours(session) {
      await session.call('write', {
        sql: 'UPDATE accounts SET balance = balance - 100 WHERE id = 1',
        more: [
          'UPDATE accounts SET balance = balance + 100 WHERE id = 2',
          "INSERT INTO log VALUES ('moved 100')",
        ],
      });
    },
    peers: {
      async [tools](session) {
        await session.call('begin_transaction');
        await session.call('execute_write_query', {
          query: 'UPDATE accounts SET balance = balance - 100 WHERE id = 1',
        });
        await session.call('execute_write_query', {
          query: 'UPDATE accounts SET balance = balance + 100 WHERE id = 2',
        });
        await session.call('execute_write_query', { query: "INSERT INTO log VALUES ('moved 100')" });
        await session.call('commit_transaction');
      },
      async [dbhub](session) {
        await session.call('execute_sql', {
          sql: "BEGIN; UPDATE accounts SET balance = balance - 100 WHERE id = 1; UPDATE accounts SET balance = balance + 100 WHERE id = 2; INSERT INTO log VALUES ('moved 100'); COMMIT",
        });
      },
    },
    verify(world) {
      expect(rows(world, 'SELECT group_concat(balance), (SELECT what FROM log) FROM accounts')).toEqual([
        ['400,120', 'moved 100'],
      ]);
    },
  },
  {
    id: 'S04',
    wish: 'Add these five customers',
    world: shop,
    async ours(session) {
      await session.call('write', {
        sql: "INSERT INTO customers(name) VALUES ('Ada'),('Ben'),('Chiara'),('Dora'),('O''Hara')",
      });
    },
    peers: {
      async [tools](session) {
        const data = ['Ada', 'Ben', 'Chiara', 'Dora', "O'Hara"].map((name) => ({ name }));
        await session.call('bulk_insert', { table: 'customers', data });
      },
      async [dbhub](session) {
        await session.call('execute_sql', {
          sql: "INSERT INTO customers(name) VALUES ('Ada'),('Ben'),('Chiara'),('Dora'),('O''Hara')",
        });
      },
    },
    verify(world) {
      expect(rows(world, 'SELECT name FROM customers WHERE id > 300').flat()).toContain("O'Hara");
    },
  },
  {
    id: 'S05',
    wish: 'How many rows would go, with all that hangs on them, if I deleted the orders before 2020? Do not delete them',
    world: shop,
    ours: (session) =>
      session.call('write', { sql: `DELETE FROM orders WHERE ${before2020}`, dry_run: true }),
    peers: {
      async [tools](session) {
        await session.call('begin_transaction');
        await session.call('execute_write_query', { query: `DELETE FROM orders WHERE ${before2020}` });
        const left = await session.call('execute_read_query', {
          query: 'SELECT 6300 - (SELECT count(*) FROM orders) - (SELECT count(*) FROM items)',
        });
        await session.call('rollback_transaction');
        return left;
      },
      async [dbhub](session) {
        await session.call('search_objects', { object_type: 'table', detail_level: 'full', pattern: '%' });
        return session.call('execute_sql', {
          sql: `SELECT count(*) + (SELECT count(*) FROM items WHERE order_id IN (SELECT id FROM orders WHERE ${before2020})) AS n FROM orders WHERE ${before2020}`,
        });
      },
    },
    verify(world, answer) {
      expect(rows(world, 'SELECT count(*) FROM orders')).toEqual([[3_000]]);
      const [[orders, items]] = rows(
        world,
        `SELECT count(*), (SELECT count(*) FROM items WHERE order_id IN (SELECT id FROM orders WHERE ${before2020})) FROM orders WHERE ${before2020}`,
      ) as [[number, number]];
      expect(answer).toContain(String(orders + items));
    },
  },
  {
    id: 'S06',
    wish: 'Rename the column tel to phone, and write "unknown" where there is none',
    world: shop,
    async ours(session) {
      await session.call('write', {
        sql: 'ALTER TABLE customers RENAME tel TO phone',
        more: ["UPDATE customers SET phone = 'unknown' WHERE phone IS NULL"],
      });
    },
    peers: {
      async [tools](session) {
        await session.call('execute_schema_query', { query: 'ALTER TABLE customers RENAME tel TO phone' });
        await session.call('execute_write_query', {
          query: "UPDATE customers SET phone = 'unknown' WHERE phone IS NULL",
        });
      },
      async [dbhub](session) {
        await session.call('execute_sql', {
          sql: "ALTER TABLE customers RENAME tel TO phone; UPDATE customers SET phone = 'unknown' WHERE phone IS NULL",
        });
      },
    },
    verify(world) {
      expect(rows(world, "SELECT count(*) FROM customers WHERE phone = 'unknown'")).toEqual([[100]]);
    },
    exception: 'statements are apart, so that none hides in a string, which takes 4 bytes',
  },
  {
    id: 'S07',
    wish: 'Set up a new database with a table of items, and put two of them in',
    world(world) {
      mkdirSync(world);
    },
    async ours(session) {
      await session.call('write', {
        sql: 'CREATE TABLE things(name TEXT, count INTEGER)',
        more: ["INSERT INTO things VALUES ('bolt', 12), ('nut', 30)"],
        create: true,
      });
    },
    peers: {
      async [tools](session, world) {
        await session.call('create_database', { path: database(world) });
        await session.call('execute_schema_query', {
          query: 'CREATE TABLE things(name TEXT, count INTEGER)',
        });
        await session.call('execute_write_query', {
          query: "INSERT INTO things VALUES ('bolt', 12), ('nut', 30)",
        });
      },
      [dbhub]: 'it ends at its start where there is no database',
    },
    verify(world) {
      expect(rows(world, 'SELECT sum(count) FROM things')).toEqual([[42]]);
    },
  },
];

const asking: readonly Task[] = [
  {
    id: 'S08',
    wish: `Why is this query slow, and which index would help? ${slowQuery}`,
    world: shop,
    async ours(session) {
      const text = await session.call('explain', { sql: slowQuery });
      return /^CREATE INDEX .*$/m.exec(text)?.[0];
    },
    peers: {
      async [tools](session) {
        await session.call('execute_read_query', { query: `EXPLAIN QUERY PLAN ${slowQuery}` });
        await session.call('execute_schema_query', {
          query: 'CREATE INDEX tried ON orders(customer_id, placed)',
        });
        await session.call('execute_read_query', { query: `EXPLAIN QUERY PLAN ${slowQuery}` });
        return 'CREATE INDEX better ON orders(customer_id, placed)';
      },
      async [dbhub](session) {
        await session.call('execute_sql', { sql: `EXPLAIN QUERY PLAN ${slowQuery}` });
        await session.call('execute_sql', {
          sql: `CREATE INDEX tried ON orders(customer_id, placed); EXPLAIN QUERY PLAN ${slowQuery}`,
        });
        return 'CREATE INDEX better ON orders(customer_id, placed)';
      },
    },
    verify(world, answer) {
      const opened = new DatabaseSync(database(world));
      opened.exec('DROP INDEX IF EXISTS tried');
      opened.exec(answer!);
      const plan = opened.prepare(`EXPLAIN QUERY PLAN ${slowQuery}`).all();
      opened.close();
      expect(plan).toEqual([
        expect.objectContaining({ detail: expect.stringMatching(/^SEARCH orders USING INDEX/) }),
      ]);
    },
  },
  {
    id: 'S09',
    wish: 'What changed between the old and the new price list?',
    world: shop,
    ours: (session) =>
      session.call('query', {
        sql: 'SELECT * FROM prices_old',
        compare: 'SELECT * FROM prices_new',
        format: 'csv',
      }),
    peers: {
      [tools]: (session) =>
        session.call('execute_read_query', {
          query:
            "SELECT 'old' AS list, * FROM (SELECT * FROM prices_old EXCEPT SELECT * FROM prices_new) UNION ALL SELECT 'new', * FROM (SELECT * FROM prices_new EXCEPT SELECT * FROM prices_old)",
        }),
      [dbhub]: (session) =>
        session.call('execute_sql', {
          sql: "SELECT 'old' AS list, * FROM (SELECT * FROM prices_old EXCEPT SELECT * FROM prices_new) UNION ALL SELECT 'new', * FROM (SELECT * FROM prices_new EXCEPT SELECT * FROM prices_old)",
        }),
    },
    verify(_, answer) {
      for (const fact of ['product 17', 'product 100', '105', 'product 400', '405'])
        expect(answer).toContain(fact);
      expect(answer).not.toContain('product 101');
    },
  },
  {
    id: 'S10',
    wish: 'Who are the three customers with the highest totals?',
    world: shop,
    ours: (session) => session.call('query', { sql: topCustomers }),
    peers: {
      [tools]: (session) => session.call('execute_read_query', { query: topCustomers }),
      [dbhub]: (session) => session.call('execute_sql', { sql: topCustomers }),
    },
    verify(world, answer) {
      for (const [name] of rows(world, topCustomers) as [string][]) expect(answer).toContain(name);
    },
  },
  {
    id: 'S11',
    wish: 'Which tables are there, and how large are they?',
    world: shop,
    ours: (session) => session.call('list_tables'),
    peers: {
      async [tools](session) {
        const listed = JSON.parse(await session.call('list_tables')) as { tables: { name: string }[] };
        const counts = listed.tables.map(
          ({ name }) => `SELECT '${name}' AS name, count(*) AS n FROM ${name}`,
        );
        return session.call('execute_read_query', { query: counts.join(' UNION ALL ') });
      },
      [dbhub]: (session) =>
        session.call('search_objects', { object_type: 'table', pattern: '%', detail_level: 'summary' }),
    },
    verify(_, answer) {
      for (const fact of ['customers', 'prices_new', /\b3,?000\b/]) expect(answer).toMatch(fact);
    },
  },
  {
    id: 'S12',
    wish: 'There is a text about a refund in some table: find it',
    world: shop,
    ours: (session) => session.call('search', { text: 'refund' }),
    peers: {
      async [tools](session) {
        await session.call('export_schema');
        return session.call('execute_read_query', { query: anywhere });
      },
      async [dbhub](session) {
        await session.call('search_objects', { object_type: 'column', pattern: '%', detail_level: 'names' });
        return session.call('execute_sql', { sql: anywhere });
      },
    },
    verify(_, answer) {
      expect(answer).toContain('asked for a refund of 12');
    },
  },
];

const topCustomers =
  'SELECT c.name, sum(o.total) AS total FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id ORDER BY total DESC, c.id LIMIT 3';
const anywhere =
  "SELECT 'notes' AS t, note AS text FROM notes WHERE note LIKE '%refund%' UNION ALL SELECT 'log', what FROM log WHERE what LIKE '%refund%' UNION ALL SELECT 'customers', name FROM customers WHERE name LIKE '%refund%' UNION ALL SELECT 'items', product FROM items WHERE product LIKE '%refund%'";

const keeping: readonly Task[] = [
  {
    id: 'S13',
    wish: 'Back up the database before I change it',
    world: shop,
    async ours(session) {
      await session.call('export', { path: 'backup.db', format: 'db' });
    },
    peers: {
      async [tools](session, world) {
        await session.call('backup_database', { backup_path: join(world, 'backup.db') });
      },
      async [dbhub](session, world) {
        await session.call('execute_sql', { sql: `VACUUM INTO '${join(world, 'backup.db')}'` });
      },
    },
    verify(world) {
      expect(rows(world, 'SELECT count(*) FROM orders', 'backup.db')).toEqual([[3_000]]);
    },
  },
  {
    id: 'S14',
    wish: 'Save all orders of 2024 as a CSV file',
    world: shop,
    async ours(session) {
      await session.call('export', { sql: orders2024, path: 'orders.csv', format: 'csv' });
    },
    peers: {
      async [tools](session, world) {
        await session.call('export_csv', { query: orders2024, file_path: join(world, 'orders.csv') });
      },
      [dbhub]: noFiles,
    },
    verify(world) {
      const path = join(world, 'orders.csv');
      expect(existsSync(path)).toBe(true);
      const [[count]] = rows(world, `SELECT count(*) FROM (${orders2024})`) as [[number]];
      expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(count + 1);
    },
  },
];

const orders2024 = "SELECT * FROM orders WHERE placed LIKE '2024%'";

export const sqlite: TaskSet = {
  ours: {
    name: 'ours',
    start: (world) => ({
      args: [
        serverProgram('sqlite'),
        '--allow-write',
        '--create',
        '--import',
        world,
        '--export',
        world,
        database(world),
      ],
    }),
  },
  peers: [
    {
      name: tools,
      start: (world) => ({
        args: [peerFile('mcp-sqlite-tools/dist/index.js')],
        env: {
          SQLITE_DEFAULT_PATH: world,
          SQLITE_DEFAULT_DATABASE: database(world),
          SQLITE_BACKUP_PATH: world,
        },
      }),
    },
    {
      name: dbhub,
      start: (world) => ({
        args: [
          peerFile('@bytebase/dbhub/dist/index.js'),
          '--transport',
          'stdio',
          '--dsn',
          `sqlite://${database(world)}`,
        ],
      }),
    },
  ],
  tasks: [...importing, ...writing, ...asking, ...keeping],
};
