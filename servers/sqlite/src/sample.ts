import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Refused } from '@mcp/sqlite-pool';

/** The path of the sample database, which `scripts/make-sample.ts` builds. */
const sample =
  import.meta.dirname === undefined
    ? join(__dirname, 'sample.db')
    : join(import.meta.dirname, '../dist/sample.db');

/** The path of the sample database. Throws if it is not built. */
export function samplePath(): string {
  if (!existsSync(sample)) throw new Refused('Name at least one database: the sample database is not built');
  return sample;
}
