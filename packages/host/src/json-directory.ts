import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, isObject, reasonOf } from '@mcp/kit';
import { replaceFileSync } from '@mcp/kit/node';

interface Entry<T> {
  readonly key: string;
  readonly value: T;
}

export interface JsonDirectoryOptions<T> {
  readonly isValid: (value: unknown) => value is T;
  /** Called with a problem of the disk or of a file, once for each message. */
  readonly warn: (message: string) => void;
  /** Maximum number of values, for caches: above it the oldest are deleted. Unlimited by default. */
  readonly maxEntries?: number;
}

/**
 * Values by key, each in its own JSON file that only the user can read. Files are replaced as a whole, so
 * processes may write at the same time. If a file cannot be written, warns and keeps the value in memory.
 */
export class JsonDirectory<T> {
  readonly path: string;
  readonly #options: JsonDirectoryOptions<T>;
  /**
   * The changes that could not be made on disk, by key: a value that could not be written, or undefined for a
   * value whose file could not be deleted.
   */
  readonly #unwritten = new Map<string, T | undefined>();
  readonly #warned = new Set<string>();

  constructor(path: string, options: JsonDirectoryOptions<T>) {
    this.path = path;
    this.#options = options;
  }

  /** Returns undefined for a missing value; a damaged file is renamed, with a warning. */
  get(key: string): T | undefined {
    if (this.#unwritten.has(key)) return this.#unwritten.get(key);
    const entry = this.#read(this.#fileOf(key));
    return entry?.key === key ? entry.value : undefined;
  }

  set(key: string, value: T): void {
    try {
      replaceFileSync(this.#fileOf(key), `${JSON.stringify({ key, value } satisfies Entry<T>)}\n`);
      this.#unwritten.delete(key);
      this.#prune();
    } catch (error) {
      this.#unwritten.set(key, value);
      this.#warn(`Cannot write to "${this.path}": ${reasonOf(error)}`);
    }
  }

  delete(key: string): void {
    try {
      rmSync(this.#fileOf(key), { force: true });
      this.#unwritten.delete(key);
    } catch (error) {
      this.#unwritten.set(key, undefined);
      this.#warn(`Cannot delete from "${this.path}": ${reasonOf(error)}`);
    }
  }

  entries(): [key: string, value: T][] {
    const found = new Map<string, T | undefined>();
    for (const name of this.#names()) {
      const entry = this.#read(join(this.path, name));
      if (entry) found.set(entry.key, entry.value);
    }
    for (const [key, value] of this.#unwritten) found.set(key, value);
    return [...found].flatMap(([key, value]): [string, T][] => (value === undefined ? [] : [[key, value]]));
  }

  #fileOf(key: string): string {
    return join(this.path, `${createHash('sha256').update(key).digest('hex').slice(0, 40)}.json`);
  }

  #names(): string[] {
    try {
      return readdirSync(this.path).filter((name) => name.endsWith('.json'));
    } catch (error) {
      this.#warnUnlessMissing(error);
      return [];
    }
  }

  #read(file: string): Entry<T> | undefined {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      this.#warnUnlessMissing(error);
      return undefined;
    }
    const entry = parse(text);
    if (isEntry(entry) && this.#options.isValid(entry.value)) return { key: entry.key, value: entry.value };
    const aside = `${file}.damaged`;
    try {
      renameSync(file, aside);
      this.#warn(`"${file}" is damaged; it was moved to "${aside}"`);
    } catch {
      this.#warn(`"${file}" is damaged and is ignored; delete it`);
    }
    return undefined;
  }

  #prune(): void {
    const { maxEntries = Infinity } = this.#options;
    const names = maxEntries === Infinity ? [] : this.#names();
    if (names.length <= maxEntries) return;
    const files = names.map((name) => ({
      file: join(this.path, name),
      at: modifiedAt(join(this.path, name)),
    }));
    // Deletes the oldest files until at most 90 % of `maxEntries` are left, so that not every later write has
    // to search for the oldest files.
    const count = names.length - Math.floor(maxEntries * 0.9);
    for (const { file } of files.toSorted((a, b) => a.at - b.at).slice(0, count)) remove(file);
  }

  #warnUnlessMissing(error: unknown): void {
    if (codeOf(error) !== 'ENOENT') this.#warn(`Cannot read "${this.path}": ${reasonOf(error)}`);
  }

  #warn(message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.#options.warn(message);
  }
}

function isEntry(value: unknown): value is Entry<unknown> {
  return isObject(value) && typeof value['key'] === 'string' && 'value' in value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function modifiedAt(file: string): number {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Ignored: the file stays, because the directory is read-only.
  }
}
