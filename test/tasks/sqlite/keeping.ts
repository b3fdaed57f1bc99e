import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Task } from '../task.ts';
import { dbhub, noFiles, rows, shop, tools } from './world.ts';

const orders2024 = "SELECT * FROM orders WHERE placed LIKE '2024%'";

export const keeping: readonly Task[] = [
  {
    id: 'S13',
    instruction: 'Back up the database before I change it',
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
    instruction: 'Save all orders of 2024 as a CSV file',
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
