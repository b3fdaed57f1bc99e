import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { peakMemoryMb, stop } from '../../child.ts';
import { Conversation } from '../../conversation.ts';
import type { Growth } from '../growth.ts';
import { middle } from '../middle.ts';

const program = fileURLToPath(new URL('../../../servers/sqlite/dist/main.cjs', import.meta.url));

export const rowsOfTable: Growth = {
  name: 'rows',
  about:
    'A table: one row by its key, the first 100 rows, a text that no index has, and the peak memory of the server without the process that reads the database.',
  unit: 'rows',
  sizes: [10_000, 100_000, 1_000_000],
  large: [10_000_000],
  columns: ['row ms', 'page ms', 'scan ms', 'peak MB'],
  async measure(size) {
    const directory = mkdtempSync(join(tmpdir(), 'growth-rows-'));
    const path = join(directory, 'rows.db');
    const database = new Database(path);
    database.exec(`CREATE TABLE rows(id INTEGER PRIMARY KEY, name TEXT, amount REAL, note TEXT);
      INSERT INTO rows WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT ${size})
        SELECT x, 'name ' || x, x * 1.5, 'note ' || (x % 97) FROM c;`);
    database.close();
    const server = new Conversation({ args: [program] }, [path]);
    const query = (sql: string) => server.call('query', { sql });
    await query('SELECT 1');
    const row = await middle(20, (run) =>
      query(`SELECT * FROM rows WHERE id = ${1 + ((run * 7_919) % size)}`),
    );
    const page = await middle(5, () => query('SELECT * FROM rows LIMIT 100'));
    const scan = await middle(3, () => query(`SELECT * FROM rows WHERE name = 'name ${size}'`));
    const memory = peakMemoryMb(server.process);
    await stop(server.process);
    rmSync(directory, { recursive: true });
    return [row, page, scan, memory];
  },
};
