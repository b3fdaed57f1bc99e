import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refused } from '@mcp/sqlite-pool';

/** The path of the sample database, which `scripts/make-sample.ts` builds. */
const sample =
  import.meta.dirname === undefined
    ? join(__dirname, 'sample.db')
    : join(import.meta.dirname, '../dist/sample.db');

/** Copies the sample database into a temporary directory, which `remove` deletes. */
export function copySample(): { readonly path: string; readonly remove: () => void } {
  if (!existsSync(sample)) throw new Refused('Name at least one database: the sample database is not built');
  const directory = mkdtempSync(join(tmpdir(), 'mcp-server-sqlite-'));
  const path = join(directory, 'sample.db');
  copyFileSync(sample, path);
  return { path, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
