import { mkdirSync } from 'node:fs';
import { expect } from 'vitest';
import type { Task } from '../task.ts';
import { database, dbhub, rows, shop, tools } from './world.ts';

const before2020 = "placed < '2020-01-01'";

export const writing: readonly Task[] = [
  {
    id: 'S03',
    instruction: 'Move 100 from account 1 to account 2 and log it, all or nothing',
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
    instruction: 'Add these five customers',
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
    instruction:
      'How many rows would go, with all that hangs on them, if I deleted the orders before 2020? Do not delete them',
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
    instruction: 'Rename the column tel to phone, and write "unknown" where there is none',
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
    instruction: 'Set up a new database with a table of items, and put two of them in',
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
