import { basename } from 'node:path';
import { closestNames, messageOf } from '@mcp/kit';
import type { ServerFiles } from './database-files.ts';
import { Database } from './database.ts';
import { DatabaseError, type Hints, Refused } from './errors.ts';
import { ExportDirectory } from './export-directory.ts';
import type { FileTable } from './engine/file-tables.ts';
import { type FileTables, ImportDirectory } from './import-directory.ts';
import { Insights } from './insights.ts';
import { DatabaseProcesses } from './pool/database-processes.ts';
import { qualifiers } from './sql/mentioned-names.ts';
import { ChangeWatcher } from './watch/change-watcher.ts';

export interface DatabasesOptions {
  /** Whether writes and imports are allowed; defaults to false. */
  readonly allowWrite?: boolean | undefined;
  /** Whether writes may create a missing database; defaults to false. */
  readonly allowCreate?: boolean | undefined;
  /** Timeout in milliseconds of a statement for which the call gives none. Defaults to 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of rows of one answer. Defaults to 10,000. */
  readonly maxRows?: number | undefined;
  /** Maximum number of bytes of the rows of one answer. Defaults to 1 MiB. */
  readonly maxBytes?: number | undefined;
  /** Maximum memory of one reading process in bytes. Defaults to 512 MiB. */
  readonly maxMemory?: number | undefined;
  /** Child processes to share with other servers; their limit of memory then replaces `maxMemory`. */
  readonly processes?: DatabaseProcesses | undefined;
  /** Hints in errors, such as which option of the program to set. They replace the hints of this package. */
  readonly hints?: Hints | undefined;
  readonly warn?: ((message: string) => void) | undefined;
}

/** SQLite's default limit of attached databases. */
const maxAttached = 10;
/** How many combinations of databases are kept for later queries. */
const maxCombined = 256;
const noFiles: FileTables = { files: [], missing: new Map() };

/** All databases of a server, with their child processes, directories and insights. */
export class Databases implements Disposable {
  readonly all: readonly Database[];
  readonly insights: Insights;
  readonly watcher: ChangeWatcher;
  /** Creates the files of exports and backups; undefined if there is no export directory. */
  readonly exports: ExportDirectory | undefined;
  /** Reads the files of imports; undefined if there is no import directory. */
  readonly imports: ImportDirectory | undefined;
  /** The combinations of databases that queries have read together, keyed by the names of the databases. */
  readonly #combined = new Map<string, Database>();
  /** The timeout of a statement in milliseconds. An operation can set another. */
  readonly timeoutMs: number;
  readonly #processes: DatabaseProcesses;
  readonly #ownsProcesses: boolean;

  constructor(
    { databases, exportDirectory, importDirectory, extensions = [] }: ServerFiles,
    options: DatabasesOptions,
  ) {
    const { allowWrite, allowCreate = false, maxMemory = 512 * 1024 * 1024, hints = {} } = options;
    const { timeoutMs = 30_000, maxRows = 10_000, maxBytes = 1024 * 1024 } = options;
    this.timeoutMs = timeoutMs;
    this.#ownsProcesses = options.processes === undefined;
    this.#processes = options.processes ?? new DatabaseProcesses({ maxMemory });
    const { readers } = this.#processes;
    const writers = allowWrite ? this.#processes.writers : undefined;
    const beside = extensions.length === 0 ? undefined : { extensions };
    const parts = { beside, readers, writers, allowCreate, hints, timeoutMs, maxRows, maxBytes };
    this.all = databases.map((file) => new Database({ ...file, ...parts }));
    this.insights = new Insights(databases.map(({ path }) => path));
    this.watcher = new ChangeWatcher(options.warn);
    this.exports = exportDirectory === undefined ? undefined : new ExportDirectory(exportDirectory);
    this.imports = importDirectory === undefined ? undefined : new ImportDirectory(importDirectory);
  }

  get names(): readonly string[] {
    return this.all.map(({ name }) => name);
  }

  /** Finds a database by name or file name, in any letter case, or by path. */
  find(name: string): Database | undefined {
    const lower = name.toLowerCase();
    const files = this.all.filter(({ path }) => basename(path).toLowerCase() === lower);
    return (
      this.all.find((each) => each.name === name || each.path === name) ??
      this.all.find((each) => each.name.toLowerCase() === lower) ??
      (files.length === 1 ? files[0] : undefined)
    );
  }

  /** Returns the database with this name or, without a name, the only one. Throws if there is none. */
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

  /**
   * Calls `run` with the database and the files of the import directory that the statements read. The
   * database is `name` or, without a name, the first that the statements use as a qualifier, as in
   * `shop.orders`. Other databases that the statements use as qualifiers are attached.
   */
  async reading<Result>(
    name: string | undefined,
    sqls: readonly string[],
    run: (database: Database, files: readonly FileTable[] | undefined) => Promise<Result>,
  ): Promise<Result> {
    const database = this.#combination(name, sqls);
    const { files, missing } = (await this.imports?.tablesIn(sqls)) ?? noFiles;
    try {
      return await (files.length === 0
        ? run(database, undefined)
        : run(database.beside({ files: true }), files));
    } catch (error) {
      const [, table = ''] = /no such table: (.+)/.exec(messageOf(error)) ?? [];
      throw missing.get(table) ?? error;
    }
  }

  #combination(name: string | undefined, sqls: readonly string[]): Database {
    if (this.all.length === 1) return this.get(name);
    const attached: Database[] = [];
    for (const each of qualifiers(sqls)) {
      const found = this.all.find((database) => database.name.toLowerCase() === each);
      if (found) attached.push(found);
    }
    // In SQL, `main` means the queried database. So a database that is named `main` cannot be attached to
    // another one; it must itself be the queried one.
    const ownMain = attached.find((each) => each.name.toLowerCase() === 'main');
    const first = ownMain ?? attached[0];
    const main = name === undefined && first ? first : this.get(name);
    if (ownMain && main !== ownMain) {
      const [known, queried] = [ownMain, main].map((each) => JSON.stringify(each.name));
      throw new Refused(
        `In a query of the database ${queried}, ${known} means ${queried} itself, and not the database ${known}`,
        `Leave out database, so that ${known} is the queried one`,
      );
    }
    const others = attached.filter((each) => each !== ownMain);
    if (others.length === 0) return main;
    if (others.length > maxAttached) {
      throw new Refused(
        `The query names ${others.length} databases; SQLite reads at most ${maxAttached} together`,
      );
    }
    const key = JSON.stringify([main, ...others].map((each) => each.name));
    let combined = this.#combined.get(key);
    if (!combined) {
      combined = main.beside({ attached: others.map(({ name: as, path }) => ({ name: as, path })) });
      if (this.#combined.size < maxCombined) this.#combined.set(key, combined);
    }
    return combined;
  }

  /** Starts a process for reading in advance, so that the first read does not have to wait for it. */
  warm(): void {
    this.#processes.readers.warm();
  }

  [Symbol.dispose](): void {
    this.watcher.close();
    if (this.#ownsProcesses) this.#processes[Symbol.dispose]();
  }
}
