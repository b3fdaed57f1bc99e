import { basename } from 'node:path';
import { closestNames } from '@mcp/kit';
import type { ServerFiles } from './database-files.ts';
import { Database } from './database.ts';
import { DatabaseError, type Hints, Refused } from './errors.ts';
import { ExportDirectory } from './export-directory.ts';
import { ImportDirectory } from './import-directory.ts';
import { Insights } from './insights.ts';
import { DatabaseProcesses } from './pool/database-processes.ts';
import { ChangeWatcher } from './watch/change-watcher.ts';

export interface DatabasesOptions {
  /** Whether writes and imports are allowed; defaults to false. */
  readonly allowWrite?: boolean | undefined;
  /** Whether writes may create a missing database; defaults to false. */
  readonly allowCreate?: boolean | undefined;
  /** Timeout, in milliseconds, of a statement without one of its own. Defaults to 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of rows of one answer. Defaults to 10,000. */
  readonly maxRows?: number | undefined;
  /** Maximum number of bytes of the rows of one answer. Defaults to 1 MiB. */
  readonly maxBytes?: number | undefined;
  /** Maximum memory of one reading process in bytes. Defaults to 512 MiB. */
  readonly maxMemory?: number | undefined;
  /** Child processes that several servers share, with their own `maxMemory`; defaults to new ones. */
  readonly processes?: DatabaseProcesses | undefined;
  /** Hints for users of the program, such as the name of its option, in place of those of this package. */
  readonly hints?: Hints | undefined;
  readonly warn?: ((message: string) => void) | undefined;
}

/** All databases of a server, and their common resources. */
export class Databases implements Disposable {
  readonly all: readonly Database[];
  readonly insights: Insights;
  readonly watcher: ChangeWatcher;
  /** Creates files of exports and backups; undefined without an export directory. */
  readonly exports: ExportDirectory | undefined;
  /** Reads files of imports; undefined without an import directory. */
  readonly imports: ImportDirectory | undefined;
  readonly #processes: DatabaseProcesses;
  readonly #ownsProcesses: boolean;

  constructor({ databases, exportDirectory, importDirectory }: ServerFiles, options: DatabasesOptions) {
    const { allowWrite, allowCreate = false, maxMemory = 512 * 1024 * 1024, hints = {} } = options;
    const { timeoutMs = 30_000, maxRows = 10_000, maxBytes = 1024 * 1024 } = options;
    this.#ownsProcesses = options.processes === undefined;
    this.#processes = options.processes ?? new DatabaseProcesses({ maxMemory });
    const { readers } = this.#processes;
    const writers = allowWrite ? this.#processes.writers : undefined;
    const parts = { readers, writers, allowCreate, hints, timeoutMs, maxRows, maxBytes };
    this.all = databases.map((file) => new Database({ ...file, ...parts }));
    this.insights = new Insights(databases.map(({ path }) => path));
    this.watcher = new ChangeWatcher(options.warn);
    this.exports = exportDirectory === undefined ? undefined : new ExportDirectory(exportDirectory);
    this.imports = importDirectory === undefined ? undefined : new ImportDirectory(importDirectory);
  }

  get names(): readonly string[] {
    return this.all.map(({ name }) => name);
  }

  /** The database with this name or file name, in any letter case; undefined if no database has it. */
  find(name: string): Database | undefined {
    const lower = name.toLowerCase();
    const files = this.all.filter(({ path }) => basename(path).toLowerCase() === lower);
    return (
      this.all.find((each) => each.name === name) ??
      this.all.find((each) => each.name.toLowerCase() === lower) ??
      (files.length === 1 ? files[0] : undefined)
    );
  }

  /** The database with this name, or without a name the only one. Otherwise an error with all names. */
  get(name: string | undefined): Database {
    const found = name === undefined ? this.all[0] : this.find(name);
    if (found && (name !== undefined || this.all.length === 1)) return found;
    const known = this.names.map((each) => JSON.stringify(each)).join(', ');
    if (name === undefined) throw new Refused(`Missing database; expected one of ${known}`);
    throw new DatabaseError({
      message: `No such database: ${JSON.stringify(name)}`,
      near: closestNames(name, this.names),
      hint: this.names.length === 1 ? `The database is ${known}` : `The databases are ${known}`,
    });
  }

  /** Starts a process for reading, so that the first read does not wait for its start. */
  warm(): void {
    this.#processes.readers.warm();
  }

  [Symbol.dispose](): void {
    this.watcher.close();
    if (this.#ownsProcesses) this.#processes[Symbol.dispose]();
  }
}
