import { readdirSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@mcp/kit';
import type { Fetched, FetchOptions } from '../../cache/upstream-document.ts';
import { WeatherError, quoted } from '../../errors.ts';
import { stampOf } from '../../cache/file-stamp.ts';

export interface StoredDocument {
  /** The parsed JSON. It is the same object until the file changes. */
  readonly json: unknown;
  /** When the document was stored, in milliseconds since 1970. */
  readonly storedAt: number;
  /**
   * The models that were parsed from the document, so that each is parsed only once. They are keyed by the
   * product that was asked for, because a forecast, for example, may also be read as current weather.
   */
  readonly reads: Map<string, Fetched<unknown>>;
  /** Why the file cannot be read at the moment. If it is given, this is an older version of the document. */
  readonly problem?: WeatherError;
}

/** The documents of a dataset: one directory for each place, with one file for each product. */
export interface DocumentStore {
  readonly sample: boolean;
  readonly title: string;
  places(options: FetchOptions): readonly string[];
  document(place: string, product: string, options: FetchOptions): Promise<StoredDocument | undefined>;
}

const maxBytes = 20 * 1024 * 1024;

interface CachedDocument extends StoredDocument {
  readonly stamp: string;
}

/** A dataset in a directory. A file is read again after it has changed. */
export class DirectoryStore implements DocumentStore {
  readonly sample = false;
  readonly title: string;
  readonly #directory: string;
  readonly #warn: (message: string) => void;
  readonly #cached = new Map<string, CachedDocument>();

  constructor(directory: string, warn: (message: string) => void) {
    this.#directory = directory;
    this.title = `the dataset in ${quoted(directory, 300)}`;
    this.#warn = warn;
  }

  places({ onDependency }: FetchOptions): readonly string[] {
    onDependency?.(this.#directory);
    try {
      const entries = readdirSync(this.#directory, { withFileTypes: true });
      return entries
        .filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
        .map(({ name }) => name)
        .toSorted();
    } catch {
      return [];
    }
  }

  async document(place: string, product: string, options: FetchOptions): Promise<StoredDocument | undefined> {
    const file = join(this.#directory, place, `${product}.json`);
    options.onDependency?.(file);
    const stamp = stampOf(file);
    const cached = this.#cached.get(file);
    if (stamp === undefined) {
      this.#cached.delete(file);
      return undefined;
    }
    if (cached?.stamp === stamp) return cached;
    const read = await this.#read(file, stamp, cached);
    this.#cached.set(file, read);
    return read;
  }

  /** Reads a file. An invalid file is most likely being written, so the previous version is returned. */
  async #read(file: string, stamp: string, before: CachedDocument | undefined): Promise<CachedDocument> {
    try {
      const { size, mtimeMs } = await stat(file);
      if (size > maxBytes) throw new Error(`more than ${maxBytes} bytes`);
      const text = await readFile(file, 'utf8');
      return {
        stamp,
        json: JSON.parse(text.replace(/^\ufeff/, '')) as unknown,
        storedAt: mtimeMs,
        reads: new Map(),
      };
    } catch (error) {
      const failure = new WeatherError(
        'invalid_reply',
        `Cannot read ${quoted(file, 300)}: ${messageOf(error)}`,
        {},
        { cause: error },
      );
      this.#warn(`${failure.message}; ${before ? 'the last valid version is used' : 'the file is ignored'}`);
      if (!before) throw failure;
      return { ...before, stamp, problem: failure, reads: new Map() };
    }
  }
}
