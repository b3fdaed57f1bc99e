import { stop } from '../../child.ts';
import type { Program, Trial } from '../../trial.ts';
import { Asking, elapsed, makeDatabase, ours, quantile } from './sqlite-workspace.ts';

const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c';
const pings = 500;

/** The same program; its name has the number of endless queries. */
const crowds: { readonly [name: string]: number } = {
  'none (for comparison)': 0,
  'one endless query': 1,
  '64 endless queries': 64,
};
const programs = Object.fromEntries(Object.keys(crowds).map((name) => [name, { ...ours }])) as {
  readonly [name: string]: Program;
};

export const sqliteRunaway: Trial = {
  name: 'sqlite-runaway',
  about:
    'Our server while it is asked for what has no end (two peers answer nothing at all then): pings, a query of one row ' +
    'right after, the same while they run (median and longest of 100), and one right after all are cancelled',
  implementations: programs,
  columns: [
    'ping median ms',
    'ping p99 ms',
    'first query ms',
    'query median ms',
    'query longest ms',
    'after cancelling ms',
  ],
  runs: 5,
  prepare: async () => makeDatabase(),

  async measure(program) {
    const [name = ''] = Object.entries(programs).find(([, each]) => each === program) ?? [];
    const asking = new Asking({ ...ours });
    await asking.open();
    await asking.query('SELECT 1');
    // A host sends its first query long after the start, when the spare process is ready.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const ids = Array.from({ length: crowds[name] ?? 0 }, () => asking.begin(endless));
    const first = await elapsed(() => asking.query('SELECT 2'));
    const queries: number[] = [];
    const rounds: number[] = [];
    for (let index = 0; index < pings; index++) {
      rounds.push(await elapsed(() => asking.ask('ping')));
      if (index % 5 === 0) queries.push(await elapsed(() => asking.query('SELECT 3')));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    for (const id of ids) asking.cancel(id);
    const after = await elapsed(() => asking.query('SELECT 4'));
    await stop(asking.process);
    return [
      quantile(rounds, 0.5),
      quantile(rounds, 0.99),
      first,
      quantile(queries, 0.5),
      Math.max(...queries),
      after,
    ];
  },
  goals: [
    ...Object.keys(crowds)
      .slice(1)
      .flatMap((of) => [
        { column: 'ping median ms', of, atMost: 5 },
        // Endless queries keep every core busy: now and then the server waits for one slice of the scheduler.
        { column: 'ping p99 ms', of, atMost: 8 },
      ]),
    { column: 'first query ms', of: '64 endless queries', atMost: 100 },
    { column: 'after cancelling ms', of: '64 endless queries', atMost: 100 },
  ],
};
