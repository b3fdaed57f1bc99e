import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DatabaseError } from '../src/backend/errors.ts';
import { ReadingWorld } from './reading-world.ts';
import { statement } from './statements.ts';

const runs = 26_000;

describe.each([
  { journal: 'rollback', wal: false },
  { journal: 'WAL', wal: true },
])('in $journal mode', ({ wal }) => {
  test(
    `none of ${runs} statements around the gate has an effect on bytes, names, settings or transactions`,
    {
      timeout: 120_000,
    },
    () => {
      using inside = new ReadingWorld({ wal });
      const directory = process.cwd();
      process.chdir(inside.workspace.root);
      const outcomes = { rows: 0, refused: 0, sqlite: 0 };
      try {
        inside.run('SELECT 1');
        const before = inside.state;
        fc.assert(
          fc.property(statement, (sql) => {
            try {
              inside.run(sql);
              outcomes.rows++;
            } catch (error) {
              // Whatever is wrong is told in words, and ends nothing.
              if (!(error instanceof DatabaseError)) throw error;
              if (error.failure.code === undefined) outcomes.refused++;
              else outcomes.sqlite++;
            }
            if (inside.state !== before) throw new Error(`Something has changed: ${inside.state}`);
          }),
          { numRuns: runs },
        );
      } finally {
        process.chdir(directory);
      }
      // Each of the three ways is taken often enough to mean something.
      for (const [outcome, count] of Object.entries(outcomes))
        expect(count, outcome).toBeGreaterThan(runs / 20);
    },
  );
});
