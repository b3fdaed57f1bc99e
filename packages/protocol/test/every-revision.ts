import { describe } from 'vitest';
import { versions } from '../src/revisions/table.ts';

/** Runs one body of tests at every published revision. */
export function atEveryRevision(body: (version: string) => void): void {
  describe.each(versions)('at %s', body);
}
