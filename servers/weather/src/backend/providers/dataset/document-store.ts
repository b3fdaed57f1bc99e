import { readdirSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ask } from '../../cache/upstream-document.ts';
import { Failure, messageOf, quoted } from '../../errors.ts';
import { stampOf } from '../../cache/atomic-files.ts';

/** A document of a dataset. */
export interface ShelvedDocument {
  /** The same object as long as the file has not changed. */
  readonly json: unknown;
  /** When it was put there, in milliseconds since 1970. */
  readonly storedAt: number;
  /** Why an older version is told, where the file cannot be read at the moment. */
  readonly problem?: Failure;
}

/** Where a dataset's documents are: a directory for each place, with a file for each product. */
export interface Shelf {
  readonly sample: boolean;
  readonly title: string;
  places(ask: Ask): readonly string[];
  /** Undefined where there is none. */
  document(place: string, product: string, ask: Ask): Promise<ShelvedDocument | undefined>;
}

const mostBytes = 20 * 1024 * 1024;

interface Kept extends ShelvedDocument {
  readonly stamp: string;
}

/** A dataset in a directory, read anew whenever a file has changed. */
export class DirectoryShelf implements Shelf {
  readonly sample = false;
  readonly title: string;
  readonly #directory: string;
  readonly #warn: (message: string) => void;
  readonly #kept = new Map<string, Kept>();

  constructor(directory: string, warn: (message: string) => void) {
    this.#directory = directory;
    this.title = `the dataset in ${quoted(directory, 300)}`;
    this.#warn = warn;
  }

  places({ used }: Ask): readonly string[] {
    used?.(this.#directory);
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

  async document(place: string, product: string, ask: Ask): Promise<ShelvedDocument | undefined> {
    const file = join(this.#directory, place, `${product}.json`);
    ask.used?.(file);
    const stamp = stampOf(file);
    const kept = this.#kept.get(file);
    if (stamp === undefined) {
      this.#kept.delete(file);
      return undefined;
    }
    if (kept?.stamp === stamp) return kept;
    const read = await this.#read(file, stamp, kept);
    this.#kept.set(file, read);
    return read;
  }

  /** A file that cannot be read is most likely being written: what it was before is still the best there is. */
  async #read(file: string, stamp: string, before: Kept | undefined): Promise<Kept> {
    try {
      const { size, mtimeMs } = await stat(file);
      if (size > mostBytes) throw new Error(`It has more than ${mostBytes} bytes`);
      const text = await readFile(file, 'utf8');
      return { stamp, json: JSON.parse(text.replace(/^\ufeff/, '')) as unknown, storedAt: mtimeMs };
    } catch (error) {
      const failure = new Failure(
        'invalid_reply',
        `Cannot read ${quoted(file, 300)}: ${messageOf(error)}`,
        {},
        { cause: error },
      );
      this.#warn(
        `${failure.message}; ${before ? 'what it held before is told' : 'there is nothing to tell'}`,
      );
      if (!before) throw failure;
      return { ...before, stamp, problem: failure };
    }
  }
}
