import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TemporaryDirectory } from '@mcp/test-kit';
import Driver from 'better-sqlite3';
import { Databases, type DatabasesOptions, resolveFiles } from '../src/index.ts';

/** A directory with a database that may be used, and next to it a database that may not be used. */
export class Workspace extends TemporaryDirectory {
  readonly path = join(this.root, 'shop.db');

  constructor(sql: string, { wal = false } = {}) {
    super('sqlite-pool');
    make(this.path, sql, wal);
    make(join(this.outside, 'secret.db'), "CREATE TABLE secret(word); INSERT INTO secret VALUES ('SECRET')");
  }

  /** The database of this workspace; dispose of it before the workspace. */
  open(options: DatabasesOptions = {}): Databases {
    return new Databases(resolveFiles({ paths: [this.path] }), options);
  }

  /** Everything on disk: names, sizes and bytes. */
  get disk(): string {
    return (
      [this.root, this.outside]
        .flatMap((directory) =>
          readdirSync(directory, { recursive: true }).map((name) => join(directory, String(name))),
        )
        .toSorted()
        // The index of a log is memory that readers share, and not data.
        .filter((path) => !path.endsWith('-shm') && statSync(path).isFile())
        .map((path) => `${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`)
        .join('\n')
    );
  }
}

/** The message of an error that `work` throws. */
export async function problem(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'nothing went wrong';
}

function make(path: string, sql: string, wal = false): void {
  const database = new Driver(path);
  if (wal) database.pragma('journal_mode = WAL');
  database.exec(sql);
  database.close();
}
