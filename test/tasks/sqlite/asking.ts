import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import type { Task } from '../task.ts';
import { database, dbhub, rows, shop, tools } from './world.ts';

const slowQuery = 'SELECT total FROM orders WHERE customer_id = 42 ORDER BY placed';
const topCustomers =
  'SELECT c.name, sum(o.total) AS total FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id ORDER BY total DESC, c.id LIMIT 3';
const anywhere =
  "SELECT 'notes' AS t, note AS text FROM notes WHERE note LIKE '%refund%' UNION ALL SELECT 'log', what FROM log WHERE what LIKE '%refund%' UNION ALL SELECT 'customers', name FROM customers WHERE name LIKE '%refund%' UNION ALL SELECT 'items', product FROM items WHERE product LIKE '%refund%'";

export const asking: readonly Task[] = [
  {
    id: 'S08',
    instruction: `Why is this query slow, and which index would help? ${slowQuery}`,
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
    instruction: 'What changed between the old and the new price list?',
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
    instruction: 'Who are the three customers with the highest totals?',
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
    instruction: 'Which tables are there, and how large are they?',
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
    instruction: 'There is a text about a refund in some table: find it',
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
