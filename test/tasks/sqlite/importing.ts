import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Task } from '../task.ts';
import { dbhub, rows, shop, tools } from './world.ts';

const sales = Array.from({ length: 2_000 }, (_, index) => ({
  id: index + 1,
  day: `2026-${String((index % 12) + 1).padStart(2, '0')}-01`,
  zip: String(index % 10_000).padStart(5, '0'),
  amount: (index % 50) + 0.25,
}));

export const importing: readonly Task[] = [
  {
    id: 'S01',
    instruction: 'Import the 2,000 sales in sales.csv into a new table, and keep the zeros of the zip codes',
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
    instruction: 'Load events.json, 500 objects, into a table of its own',
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
