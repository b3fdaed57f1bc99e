import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Watcher } from '@mcp/watch';

export interface NoteBookOptions {
  readonly directory: string;
  /** Called with warnings for the operator. */
  readonly warn?: ((message: string) => void) | undefined;
}

/** Thrown for a note that does not exist. */
export class NoSuchNote extends Error {
  override readonly name = 'NoSuchNote';
}

const ending = '.md';
/** Symbolic links are not followed, and opening a pipe does not block. */
const reading = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Notes: the Markdown files of one directory. */
export class NoteBook {
  readonly #directory: string;
  readonly #watcher: Watcher;

  constructor({ directory, warn }: NoteBookOptions) {
    this.#directory = resolve(directory);
    this.#watcher = new Watcher({ onWarning: warn });
  }

  /** Returns the names of all notes, sorted; none while the directory does not exist. */
  async names(): Promise<string[]> {
    const files = await readdir(this.#directory).catch(emptyWhereMissing);
    return files
      .filter((file) => file.endsWith(ending))
      .map((file) => file.slice(0, -ending.length))
      .toSorted();
  }

  async has(name: string): Promise<boolean> {
    this.#pathOf(name);
    return (await this.names()).includes(name);
  }

  async read(name: string): Promise<string> {
    try {
      return await readFile(this.#pathOf(name), { encoding: 'utf8', flag: reading });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new NoSuchNote(`No such note: ${JSON.stringify(name)}`, { cause: error });
    }
  }

  /** Yields all notes; a note that is deleted before it is read is left out. */
  async *all(): AsyncGenerator<{ name: string; text: string }> {
    for (const name of await this.names()) {
      try {
        yield { name, text: await this.read(name) };
      } catch (error) {
        if (!(error instanceof NoSuchNote)) throw error;
      }
    }
  }

  /** Writes a note atomically: a reader sees the old text or the new one, never a part. */
  async save(name: string, text: string): Promise<void> {
    const path = this.#pathOf(name);
    await mkdir(this.#directory, { recursive: true });
    const temporary = join(this.#directory, `.${randomUUID()}.tmp`);
    try {
      await writeFile(temporary, text, { flag: 'wx' });
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  /** Calls `changed` after each change of a note on disk; the note need not exist yet. */
  watch(name: string, changed: () => void): Promise<() => void> {
    return this.#watcher.watch(this.#pathOf(name), changed);
  }

  /** Calls `changed` when a note may have been added or deleted. */
  watchNames(changed: () => void): Promise<() => void> {
    return this.#watcher.watch(this.#directory, changed);
  }

  [Symbol.dispose](): void {
    this.#watcher.close();
  }

  /** Names come from a model and must not lead out of the directory. */
  #pathOf(name: string): string {
    if (!/^[\p{L}\p{N}][\p{L}\p{N} _-]{0,99}$/u.test(name)) {
      throw new Error(
        `Invalid name of a note: ${JSON.stringify(name)}; expected at most 100 letters, digits, spaces, "-" and "_"`,
      );
    }
    return join(this.#directory, name + ending);
  }
}

function emptyWhereMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
