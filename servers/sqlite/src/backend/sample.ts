import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refused } from './errors.ts';

/** The database that `scripts/make-sample.ts` has made for who names none. */
const sample =
  import.meta.dirname === undefined
    ? join(__dirname, 'sample.db')
    : join(import.meta.dirname, '../../dist/sample.db');

/** A copy of its own for each server, in a temporary directory. */
export function copyOfSample(): { readonly path: string; readonly remove: () => void } {
  if (!existsSync(sample)) throw new Refused('Name at least one database: the sample is not built');
  const directory = mkdtempSync(join(tmpdir(), 'mcp-server-sqlite-'));
  const path = join(directory, 'sample.db');
  copyFileSync(sample, path);
  return { path, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
