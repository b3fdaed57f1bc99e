import { watch } from 'node:fs';
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const suffix = '.txt';

/** To-do lists in files, an entry on each line; what all servers here have in common. */
export class TodoLists {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async names(): Promise<string[]> {
    const files = await readdir(this.#directory);
    return files.filter((file) => file.endsWith(suffix)).map((file) => basename(file, suffix));
  }

  /** Rejects if there is no such list. */
  async read(list: string): Promise<string> {
    try {
      return await readFile(this.#path(list), 'utf8');
    } catch {
      throw new Error(`No list "${list}"; there are: ${(await this.names()).join(', ')}`);
    }
  }

  /** Returns how many entries the list has then. It takes a moment, so that many of them can be cancelled. */
  async add(list: string, entry: string): Promise<number> {
    await setTimeout(10);
    await appendFile(this.#path(list), `${entry}\n`);
    return (await this.read(list)).trimEnd().split('\n').length;
  }

  async clear(list: string): Promise<void> {
    await writeFile(this.#path(list), '');
  }

  /** Calls `changed` with the name of each list that changes, until the returned function is called. */
  watch(changed: (list: string) => void): () => void {
    const watcher = watch(this.#directory, (_event, file) => {
      if (file?.endsWith(suffix)) changed(basename(file, suffix));
    });
    return () => watcher.close();
  }

  #path(list: string): string {
    if (!/^[a-z]+$/.test(list)) throw new Error(`Invalid name of a list: "${list}"`);
    return join(this.#directory, list + suffix);
  }
}

/** The lists of the directory that the client names. */
export const lists = new TodoLists(process.env['TODO_DIRECTORY'] ?? '.');
