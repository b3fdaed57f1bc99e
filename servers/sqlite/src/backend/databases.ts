import { ChangeWatcher } from './watch/change-watcher.ts';
import { Database } from './database.ts';
import { ExportDirectory } from './export-directory.ts';
import { Refused } from './errors.ts';
import { Insights } from './insights.ts';
import type { Places } from './database-files.ts';
import { Readers } from './pool/reader-pool.ts';
import { Writers } from './pool/write-queue.ts';

export interface DatabasesOptions {
  readonly allowWrite?: boolean | undefined;
  /** What a request may take that does not say, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Rows of one answer at most. */
  readonly maxRows?: number | undefined;
  /** Bytes of one answer's rows at most. */
  readonly maxBytes?: number | undefined;
  /** Bytes that a process may hold. */
  readonly maxMemory?: number | undefined;
  readonly warn?: ((message: string) => void) | undefined;
}

const usual = { timeoutMs: 30_000, maxRows: 10_000, maxBytes: 1024 * 1024, maxMemory: 512 * 1024 * 1024 };

/** The databases that were named, and what belongs to all of them. */
export class Databases implements Disposable {
  readonly all: readonly Database[];
  readonly insights: Insights;
  readonly watcher: ChangeWatcher;
  readonly exports: ExportDirectory | undefined;
  readonly maxRows: number;
  readonly maxBytes: number;
  readonly #readers: Readers;
  readonly #writers: Writers | undefined;

  constructor({ files, exports }: Places, options: DatabasesOptions) {
    const { maxRows = usual.maxRows, maxBytes = usual.maxBytes, maxMemory = usual.maxMemory } = options;
    const { timeoutMs = usual.timeoutMs, allowWrite, warn } = options;
    this.maxRows = maxRows;
    this.maxBytes = maxBytes;
    this.#readers = new Readers({ maxMemory });
    this.#writers = allowWrite ? new Writers() : undefined;
    this.all = files.map(
      (file) => new Database({ ...file, readers: this.#readers, writers: this.#writers, timeoutMs }),
    );
    this.insights = new Insights(files.map(({ path }) => path));
    this.watcher = new ChangeWatcher(warn);
    this.exports = exports === undefined ? undefined : new ExportDirectory(exports);
  }

  get names(): readonly string[] {
    return this.all.map(({ name }) => name);
  }

  /** The database of this name, in whatever case; undefined where there is none. */
  called(name: string): Database | undefined {
    return (
      this.all.find((each) => each.name === name) ??
      this.all.find((each) => each.name.toLowerCase() === name.toLowerCase())
    );
  }

  /** The one that a tool is about: that of the name, or the only one. Throws with all names otherwise. */
  named(name: string | undefined): Database {
    const found = name === undefined ? this.all[0] : this.called(name);
    if (found && (name !== undefined || this.all.length === 1)) return found;
    const known = this.names.map((each) => JSON.stringify(each)).join(', ');
    if (name === undefined) throw new Refused(`Say which database: ${known}`);
    throw new Refused(`No such database: ${JSON.stringify(name)}`, `There is ${known}`);
  }

  /** Starts a process to read in, before it is needed. */
  warm(): void {
    this.#readers.warm();
  }

  [Symbol.dispose](): void {
    this.watcher.close();
    this.#readers.close();
    this.#writers?.close();
  }
}
