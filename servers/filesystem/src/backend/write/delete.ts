import { isUtf8 } from 'node:buffer';
import { rmdirSync, unlinkSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import type { Boundary } from '../access/allowed-directories.ts';
import { displayBytes, displayName, quoted } from '../display-name.ts';
import type { Opened } from '../access/path-opener.ts';
import { entriesOf, ExactNames, pathOf } from '../traverse/directory-entries.ts';
import { codeOf, failure, NotFound, notUtf8 } from '../errors.ts';
import { kindOf, type Kind } from '../file-kind.ts';
import type { Queue } from '../keyed-queue.ts';
import { TimeSlice } from '../time-slice.ts';

export interface RemoveOptions {
  /** A directory with all it holds. */
  recursive?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Hears now and then how much is gone. */
  progress?: ((removed: number) => void) | undefined;
}

export interface Removed {
  /** The real path. */
  readonly path: string;
  readonly kind: Kind;
  /** How many files and directories are gone, this one included. */
  readonly count: number;
}

/** Deletes a file, a link rather than what it leads to, an empty directory, or, when asked to, a full one. */
export async function remove(
  boundary: Boundary,
  queue: Queue,
  asked: string,
  options: RemoveOptions = {},
): Promise<Removed> {
  const { parent, name, path, stats } = boundary.standing(asked);
  try {
    if (!stats) throw new NotFound(`No such file: ${quoted(asked)}`);
    boundary.refuseAllowed(path, asked);
    const kind = kindOf(stats);
    return await queue.run(path, async () => {
      if (kind !== 'directory') {
        unlinkSync(join(parent.base, name));
        return { path, kind, count: 1 };
      }
      const removal = new Removal(boundary, asked, options);
      if (options.recursive) await removal.empty(path, asked);
      removal.directory(join(parent.base, name), asked);
      return { path, kind, count: removal.count };
    });
  } catch (error) {
    throw explained(error, asked);
  } finally {
    parent.close();
  }
}

function explained(error: unknown, asked: string): Error {
  if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') return failure(error, asked);
  return new Error(`Directory not empty, and not asked to be deleted with all it holds: ${quoted(asked)}`);
}

class Removal {
  count = 0;
  readonly #boundary: Boundary;
  readonly #asked: string;
  readonly #options: RemoveOptions;
  readonly #slice: TimeSlice;

  constructor(boundary: Boundary, asked: string, options: RemoveOptions) {
    this.#boundary = boundary;
    this.#asked = asked;
    this.#options = options;
    this.#slice = new TimeSlice(options.signal);
  }

  /** Deletes what is in a directory; each one is entered only where it was seen, and never through a link. */
  async empty(path: string, shown: string): Promise<void> {
    const directory = this.#open(path, shown);
    try {
      const entries: Dirent[] = [];
      for (const entry of entriesOf(directory)) {
        entries.push(entry);
        if (this.#slice.over) await this.#slice.pause();
      }
      const names = new ExactNames();
      for (const entry of entries) {
        const exact = names.take(directory, entry.name, kindOf(entry));
        const within = `${shown}/${exact ? displayBytes(exact) : displayName(entry.name)}`;
        const target = pathOf(directory, entry.name, exact);
        if (entry.isDirectory()) {
          if (exact && !isUtf8(exact)) throw this.#stopped(new Error(`${notUtf8}: "${within}"`), within);
          await this.empty(join(path, entry.name), within);
          this.directory(target, within);
        } else {
          this.#do(() => unlinkSync(target), within);
        }
        if (this.#slice.over) {
          this.#options.progress?.(this.count);
          await this.#slice.pause();
        }
      }
    } finally {
      directory.close();
    }
  }

  directory(path: string | Buffer, shown: string): void {
    this.#do(() => rmdirSync(path), shown);
  }

  #open(path: string, shown: string): Opened {
    try {
      return this.#boundary.openAt(path);
    } catch (error) {
      throw this.#stopped(error, shown);
    }
  }

  #do(work: () => void, shown: string): void {
    try {
      work();
      this.count++;
    } catch (error) {
      throw this.#stopped(error, shown);
    }
  }

  #stopped(error: unknown, shown: string): unknown {
    if (this.count === 0 && shown === this.#asked) return error;
    const { message } = failure(error, shown, 'directory');
    return new Error(`${message}; ${this.count} files and directories are deleted already`, { cause: error });
  }
}
