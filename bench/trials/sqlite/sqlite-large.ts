import { peakMemoryMb, stop } from '../../child.ts';
import type { Trial } from '../../trial.ts';
import {
  Asking,
  dbhub,
  elapsed,
  floor,
  makeDatabase,
  ours,
  sqliteTools,
  type SqliteProgram,
} from './sqlite-workspace.ts';

const sql = 'SELECT * FROM big LIMIT 100000';

export const sqliteLarge: Trial = {
  name: 'sqlite-large',
  about: '100,000 rows of four columns in one answer, with the caps lifted; pings are sent all the while',
  implementations: { ours, 'mcp-sqlite-tools': sqliteTools, '@bytebase/dbhub': dbhub, 'bare loop': floor },
  columns: ['ms', 'MB sent', 'longest ping ms', 'peak MB'],
  runs: 7,
  prepare: async () => makeDatabase(),

  async measure(program) {
    const asking = new Asking(program as SqliteProgram);
    await asking.open();
    await asking.query('SELECT 1');
    await asking.long(sql);
    let bytes = 0;
    const ms = await elapsed(async () => (bytes = await asking.long(sql)));
    let done = false;
    const answer = asking.long(sql).then(() => (done = true));
    const pings: number[] = [];
    while (!done) {
      pings.push(await elapsed(() => asking.ask('ping')));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await answer;
    const peak = peakMemoryMb(asking.process);
    await stop(asking.process);
    return [ms, bytes / 1e6, Math.max(...pings), peak];
  },
  goals: [
    { column: 'ms', of: 'ours', to: 'bare loop', atMost: 1.5 },
    { column: 'longest ping ms', of: 'ours', atMost: 25 },
  ],
};
