import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DatabaseError } from '../src/errors.ts';
import { DirectReader } from './direct-reader.ts';
import { statement } from './statements.ts';

const runs = 26_000;
/**
 * After this many statements, the states are compared: a change by any of these statements is still visible.
 */
const batch = 10;

describe.each([
  { journal: 'rollback', wal: false },
  { journal: 'WAL', wal: true },
])('in $journal mode', ({ wal }) => {
  test(
    `none of ${runs} generated statements changes files, settings or transactions`,
    {
      timeout: 120_000,
    },
    () => {
      using reader = new DirectReader({ wal });
      const directory = process.cwd();
      process.chdir(reader.workspace.root);
      const outcomes = { rows: 0, refused: 0, sqlite: 0 };
      try {
        reader.run('SELECT 1');
        const before = reader.state;
        fc.assert(
          fc.property(fc.array(statement, { minLength: batch, maxLength: batch }), (statements) => {
            for (const sql of statements) {
              try {
                reader.run(sql);
                outcomes.rows++;
              } catch (error) {
                // Every error is described, and ends no connection.
                if (!(error instanceof DatabaseError)) throw error;
                if (error.failure.code === undefined) outcomes.refused++;
                else outcomes.sqlite++;
              }
            }
            if (reader.state !== before) throw new Error(`Something has changed: ${reader.state}`);
          }),
          { numRuns: runs / batch },
        );
      } finally {
        process.chdir(directory);
      }
      // Each outcome is frequent enough to be meaningful.
      for (const [outcome, count] of Object.entries(outcomes))
        expect(count, outcome).toBeGreaterThan(runs / 20);
    },
  );
});
