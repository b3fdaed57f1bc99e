import { KeyedQueue } from '@mcp/kit';
import { keptNames, orMissing, replaceFile, withFileLock } from '@mcp/kit/node';
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { builtinModule } from '../platform/builtin-module.ts';
import { readEntry, refuseFile, type StoredEntry } from './entry-file.ts';
import {
  checkedLimit,
  type Entries,
  type Entry,
  isExpired,
  type StateStore,
  storeOf,
} from './state-store.ts';

/** Limits of `fileState`. */
export interface FileStateOptions {
  /** Maximum number of values, of all processes together. Default: 100,000. */
  readonly maxEntries?: number;
}

const defaultMaxEntries = 100_000;
/**
 * Expired files are searched for at most this often; while the state is full, every second, unless a search
 * takes more than a tenth of that.
 */
const purgeEveryMs = 600_000;
const purgeFullEveryMs = 1_000;
/** The files, which other processes may add and delete, are counted again at most this often. */
const countEveryMs = 1_000;
/**
 * Other processes add fewer values than this while a count is valid. So values are added without a lock while
 * there is room for more.
 */
const margin = 1_000;
const ending = '.json';

// Not imported, so that `memoryState` can be loaded without a file system, as in an edge worker.
const fs = () => builtinModule('node:fs/promises')!;
const pathIn = (directory: string, name: string) => builtinModule('node:path')!.join(directory, name);

/**
 * Keeps a state in `directory`: each value in a file that only the user of this process can read. Several
 * processes of one machine may share the directory. Expired files are deleted while values are written. A new
 * value that is one too many is refused with an `Error`, and so is every use of a value whose file is damaged
 * or cannot be read or written. Throws in a runtime without a file system.
 * @example
 * ```ts
 * import { fileState } from '@mcp/protocol/state';
 *
 * export const state = fileState('/var/lib/notes/state');
 * ```
 */
export function fileState(
  directory: string,
  { maxEntries = defaultMaxEntries }: FileStateOptions = {},
): StateStore {
  if (!builtinModule('node:fs/promises'))
    throw new Error('`fileState` needs files, which this runtime does not have');
  return storeOf(new FileEntries(directory, checkedLimit('maxEntries', maxEntries)));
}

class FileEntries implements Entries {
  readonly #directory: string;
  readonly #maxEntries: number;
  readonly #queue = new KeyedQueue();
  /** The number of files when they were last counted, changed by what this process has written since. */
  #count = 0;
  #countedAt = -Infinity;
  /** The number of files that this process is adding. */
  #adding = 0;
  #purgedAt = -Infinity;
  #purgeMs = 0;
  #purging: Promise<void> | undefined;

  constructor(directory: string, maxEntries: number) {
    this.#directory = directory;
    this.#maxEntries = maxEntries;
  }

  async read(key: string): Promise<Entry | undefined> {
    return readEntry(this.#pathOf(key), key);
  }

  async change(key: string, change: (old: Entry | undefined) => Entry | undefined): Promise<void> {
    const path = this.#pathOf(key);
    await this.#alone(path, async () => {
      const old = await readEntry(path, key);
      const entry = change(old);
      if (!entry) return this.#remove(path);
      const text = JSON.stringify({ key, ...entry } satisfies StoredEntry);
      if (old) await write(path, text);
      else await this.#create(path, text);
    });
    this.#purgeSoon(purgeEveryMs);
  }

  /** Stores a new value. Throws an `Error` if there is no room for it. */
  async #create(path: string, text: string): Promise<void> {
    if (performance.now() - this.#countedAt > countEveryMs) await this.#files();
    if (this.#used < this.#maxEntries - margin) return this.#add(path, text);
    await this.#alone(pathIn(this.#directory, 'new'), async () => {
      await this.#files();
      if (this.#used >= this.#maxEntries) this.#refuse();
      await this.#add(path, text);
    });
  }

  get #used(): number {
    return this.#count + this.#adding;
  }

  async #add(path: string, text: string): Promise<void> {
    this.#adding++;
    try {
      await write(path, text);
      this.#count++;
    } finally {
      this.#adding--;
    }
  }

  /** Runs work on a file while no other work on it runs, in this process or another. */
  #alone<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
    return this.#queue.run(path, () => withFileLock(`${path}.lock`, work));
  }

  #refuse(): never {
    // The purge is not awaited, because it may read every file.
    this.#purgeSoon(Math.max(purgeFullEveryMs, 10 * this.#purgeMs));
    throw new Error(
      `The state in "${this.#directory}" is full: it has at most ${this.#maxEntries} values; delete some, or try again once values have expired`,
    );
  }

  #purgeSoon(everyMs: number): void {
    if (this.#purging || performance.now() - this.#purgedAt < everyMs) return;
    this.#purgedAt = performance.now();
    // A failure is not reported: the next purge tries again, and until then expired values are not returned.
    this.#purging = this.#purge()
      .catch(() => undefined)
      .finally(() => {
        this.#purging = undefined;
        this.#purgeMs = performance.now() - this.#purgedAt;
      });
  }

  async #purge(): Promise<void> {
    for (const name of await this.#files()) {
      const path = pathIn(this.#directory, name);
      const entry = await readEntry(path).catch(() => undefined);
      if (!entry || !isExpired(entry)) continue;
      await this.#alone(path, async () => {
        const now = await readEntry(path);
        if (now && isExpired(now)) await this.#remove(path);
      });
    }
    await this.#files();
  }

  /**
   * The names of the files that have values, which it counts. Deletes the temporary files of processes that
   * have ended.
   */
  async #files(): Promise<string[]> {
    const names = await keptNames(this.#directory).catch((error: unknown) =>
      refuseFile('read', this.#directory, error),
    );
    const files = names.filter((name) => name.endsWith(ending));
    this.#count = files.length;
    this.#countedAt = performance.now();
    return files;
  }

  async #remove(path: string): Promise<void> {
    if (!(await orMissing(fs().stat(path)))) return;
    await fs()
      .rm(path, { force: true })
      .catch((error: unknown) => refuseFile('write', path, error));
    this.#count--;
  }

  #pathOf(key: string): string {
    // In UTF-8, all lone surrogates would be the same character.
    const bytes = Buffer.from(key, key.isWellFormed() ? 'utf8' : 'utf16le');
    return pathIn(this.#directory, `${createHash('sha256').update(bytes).digest('hex')}${ending}`);
  }
}

function write(path: string, text: string): Promise<void> {
  return replaceFile(path, text).catch((error: unknown) => refuseFile('write', path, error));
}
