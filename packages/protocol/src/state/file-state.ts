import { isObject, KeyedQueue } from '@mcp/kit';
import { keptNames, orMissing, replaceFile, withFileLock } from '@mcp/kit/node';
import { createHash } from 'node:crypto';
import { builtinModule } from '../platform/builtin-module.ts';
import { type Entries, type Entry, isExpired, type StateStore, storeOf } from './state-store.ts';

/** Limits of `fileState`. */
export interface FileStateOptions {
  /** Maximum number of values. Default: 100,000. */
  readonly maxEntries?: number;
}

const defaultMaxEntries = 100_000;
/** Expired files are searched for at most this often: 10 minutes, or 10 seconds while the state is full. */
const purgeEveryMs = 600_000;
const purgeFullEveryMs = 10_000;
/**
 * The files of a full state, which other processes may have deleted, are counted again at most this often.
 */
const countEveryMs = 1_000;
const ending = '.json';

// Not imported, so that `memoryState` can be loaded without a file system, as in an edge worker.
const fs = () => builtinModule('node:fs/promises')!;
const pathIn = (directory: string, name: string) => builtinModule('node:path')!.join(directory, name);

/** An entry in a file, with its key, because the name of the file is a hash. */
interface StoredEntry extends Entry {
  readonly key: string;
}

/**
 * Keeps a state in `directory`: each value in a file that only the user of this process can read. Several
 * processes of one machine may share the directory. Expired files are deleted while values are written.
 * Throws in a runtime without a file system.
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
  return storeOf(new FileEntries(directory, maxEntries));
}

class FileEntries implements Entries {
  readonly #directory: string;
  readonly #maxEntries: number;
  readonly #queue = new KeyedQueue();
  /** The number of files when they were last counted, changed by what this process has written since. */
  #count = Infinity;
  #countedAt = -Infinity;
  #purgedAt = -Infinity;
  #purging: Promise<void> | undefined;

  constructor(directory: string, maxEntries: number) {
    this.#directory = directory;
    this.#maxEntries = maxEntries;
  }

  async read(key: string): Promise<Entry | undefined> {
    return readEntry(this.#pathOf(key));
  }

  async change(key: string, change: (old: Entry | undefined) => Entry | undefined): Promise<void> {
    const path = this.#pathOf(key);
    await this.#alone(path, async () => {
      const old = await readEntry(path);
      const entry = change(old);
      if (!entry) return this.#remove(path);
      if (!old) await this.#makeRoom();
      await replaceFile(path, JSON.stringify({ key, ...entry } satisfies StoredEntry));
      if (!old) this.#count++;
    });
    this.#purgeSoon(purgeEveryMs);
  }

  /** Runs work on a file while no other work on it runs, in this process or another. */
  #alone<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
    return this.#queue.run(path, () => withFileLock(`${path}.lock`, work));
  }

  async #makeRoom(): Promise<void> {
    if (this.#count >= this.#maxEntries && performance.now() - this.#countedAt > countEveryMs)
      await this.#files();
    if (this.#count < this.#maxEntries) return;
    // The purge is not awaited: it waits for the locks of files, and this call has the lock of one.
    this.#purgeSoon(purgeFullEveryMs);
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
      .finally(() => (this.#purging = undefined));
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
    const names = await keptNames(this.#directory);
    const files = names.filter((name) => name.endsWith(ending));
    this.#count = files.length;
    this.#countedAt = performance.now();
    return files;
  }

  async #remove(path: string): Promise<void> {
    if (!(await orMissing(fs().stat(path)))) return;
    await fs().rm(path, { force: true });
    this.#count--;
  }

  #pathOf(key: string): string {
    return pathIn(this.#directory, `${createHash('sha256').update(key).digest('hex')}${ending}`);
  }
}

/** Reads an entry. Throws an `Error` for a file that is not one of `fileState`. */
async function readEntry(path: string): Promise<StoredEntry | undefined> {
  const text = await orMissing(fs().readFile(path, 'utf8'));
  if (text === undefined) return undefined;
  const entry = parsed(text);
  if (!isStored(entry)) throw new Error(`Damaged file of a state: "${path}"; move it elsewhere`);
  return entry;
}

function isStored(value: unknown): value is StoredEntry {
  return (
    isObject(value) &&
    typeof value['key'] === 'string' &&
    'value' in value &&
    ['number', 'undefined'].includes(typeof value['expiresAt'])
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
