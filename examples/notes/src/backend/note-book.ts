import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Watcher } from '@mcp/watch';

export interface NoteBookOptions {
  readonly directory: string;
  /** Hears what the operator should know but need not stop for. */
  readonly warn?: ((message: string) => void) | undefined;
}

/** There is no note of this name. */
export class NoSuchNote extends Error {}

const ending = '.md';
/** No link is followed out of the directory, and no pipe waited for. */
const reading = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Notes, each a Markdown file in one directory. */
export class NoteBook {
  readonly #directory: string;
  readonly #watcher: Watcher;

  constructor({ directory, warn }: NoteBookOptions) {
    this.#directory = resolve(directory);
    this.#watcher = new Watcher({ warn });
  }

  /** The names of all notes, in order; none while there is no directory. */
  async names(): Promise<string[]> {
    const files = await readdir(this.#directory).catch(emptyWhereMissing);
    return files
      .filter((file) => file.endsWith(ending))
      .map((file) => file.slice(0, -ending.length))
      .toSorted();
  }

  async read(name: string): Promise<string> {
    try {
      return await readFile(this.#pathOf(name), { encoding: 'utf8', flag: reading });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new NoSuchNote(`No such note: ${JSON.stringify(name)}`, { cause: error });
    }
  }

  /** All notes, less those that go meanwhile. */
  async *all(): AsyncGenerator<{ name: string; text: string }> {
    for (const name of await this.names()) {
      try {
        yield { name, text: await this.read(name) };
      } catch (error) {
        if (!(error instanceof NoSuchNote)) throw error;
      }
    }
  }

  /** Whoever reads meanwhile has the old text or the new, and never half. */
  async save(name: string, text: string): Promise<void> {
    const path = this.#pathOf(name);
    await mkdir(this.#directory, { recursive: true });
    const unfinished = join(this.#directory, `.${randomUUID()}.unfinished`);
    try {
      await writeFile(unfinished, text, { flag: 'wx' });
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  /** Calls `changed` after each change of a note on disk, also of one that does not exist yet. */
  watch(name: string, changed: () => void): Promise<() => void> {
    return this.#watcher.watch(this.#pathOf(name), changed);
  }

  /** Calls `changed` whenever a note may have come or gone. */
  watchNames(changed: () => void): Promise<() => void> {
    return this.#watcher.watch(this.#directory, changed);
  }

  [Symbol.dispose](): void {
    this.#watcher.close();
  }

  /** A name comes from a model: it must not lead out of the directory. */
  #pathOf(name: string): string {
    if (!/^[\p{L}\p{N}][\p{L}\p{N} _-]{0,99}$/u.test(name)) {
      throw new Error(
        `A note is named with letters, digits, spaces, "-" and "_", 100 at most, and not ${JSON.stringify(name)}`,
      );
    }
    return join(this.#directory, name + ending);
  }
}

function emptyWhereMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
