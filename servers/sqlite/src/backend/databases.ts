import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { ChangeWatcher } from './change-watcher.ts';
import { Database } from './database.ts';
import { ExportDirectory } from './export-directory.ts';
import { Refused } from './failure.ts';
import { Insights } from './insights.ts';
import { Readers } from './readers.ts';
import { Writers } from './writers.ts';

export interface DatabasesOptions {
  /** Files, at least one. */
  readonly paths: readonly string[];
  readonly allowWrite?: boolean | undefined;
  /** Where exports may be put; without it there are none. */
  readonly exportDirectory?: string | undefined;
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

  /** Throws where a path is no regular file: nothing is opened yet, so that whatever else is wrong is told later. */
  constructor(options: DatabasesOptions) {
    const { maxRows = usual.maxRows, maxBytes = usual.maxBytes, maxMemory = usual.maxMemory } = options;
    const { timeoutMs = usual.timeoutMs, allowWrite, exportDirectory, warn } = options;
    this.maxRows = maxRows;
    this.maxBytes = maxBytes;
    this.#readers = new Readers({ maxMemory });
    this.#writers = allowWrite ? new Writers() : undefined;
    const paths = [...new Set(options.paths.map((path) => fileAt(path)))];
    this.all = named(paths).map(
      ({ name, path }) =>
        new Database({ name, path, readers: this.#readers, writers: this.#writers, timeoutMs }),
    );
    this.insights = new Insights(paths);
    this.watcher = new ChangeWatcher(warn);
    this.exports = exportDirectory === undefined ? undefined : new ExportDirectory(exportDirectory);
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

/** The file itself: a link is followed once, so that it cannot lead elsewhere later. */
function fileAt(path: string): string {
  let real: string;
  try {
    real = realpathSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ELOOP') throw new Refused(`Links in a circle: "${path}"`);
    throw new Refused(`No such database: "${path}"`);
  }
  if (!statSync(real).isFile()) throw new Refused(`Not a regular file: "${path}"`);
  // The driver cuts off white space at the ends, and would open another file.
  if (real.trim() !== real) throw new Refused(`The name ends with white space: "${path}"`);
  return real;
}

/** Names from those of the files without what they end with; with it, and their directories, where that is not enough. */
function named(paths: readonly string[]): { name: string; path: string }[] {
  const candidates = (path: string) => {
    const base = basename(path);
    return [
      base.slice(0, base.length - extname(base).length) || base,
      base,
      `${basename(dirname(path))}-${base}`,
    ];
  };
  const taken = new Set<string>();
  return paths.map((path) => {
    const free = candidates(path).find((each) => !taken.has(each.toLowerCase()));
    const name = free ?? `${basename(path)}-${taken.size}`;
    taken.add(name.toLowerCase());
    return { name, path };
  });
}
