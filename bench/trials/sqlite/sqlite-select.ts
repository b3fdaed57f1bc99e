import { stop } from '../../child.ts';
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

const inFlight = 64;
const calls = 12_800;
const alone = 1_000;
const sqlOf = (index: number) => `SELECT * FROM big WHERE id = ${(index % 50) + 1}`;

export const sqliteSelect: Trial = {
  name: 'sqlite-select',
  about: 'A SELECT of one row by its key, 64 in flight and one by one, calls a second',
  implementations: { ours, 'mcp-sqlite-tools': sqliteTools, '@bytebase/dbhub': dbhub, 'bare loop': floor },
  columns: ['64 in flight', '1 in flight'],
  runs: 5,
  prepare: async () => makeDatabase(),

  async measure(program) {
    const asking = new Asking(program as SqliteProgram);
    await asking.open();
    await crowd(asking, 2_000);
    const together = await elapsed(() => crowd(asking, calls));
    const oneByOne = await elapsed(async () => {
      for (let index = 0; index < alone; index++) await asking.query(sqlOf(index));
    });
    await stop(asking.process);
    return [calls / (together / 1_000), alone / (oneByOne / 1_000)];
  },
  goals: [
    { column: '64 in flight', of: 'ours', to: 'mcp-sqlite-tools', atLeast: 2 },
    { column: '64 in flight', of: 'ours', to: '@bytebase/dbhub', atLeast: 2 },
  ],
};

async function crowd(asking: Asking, count: number): Promise<void> {
  let next = 0;
  const sendInTurn = async () => {
    while (next < count) await asking.query(sqlOf(next++));
  };
  await Promise.all(Array.from({ length: inFlight }, sendInTurn));
}
