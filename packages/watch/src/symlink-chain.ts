import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { Directories, DirectoryListener, ListenableDirectory } from './directory-listener.ts';
import type { Stop } from './stop.ts';

/** The listener of a {@link SymlinkChain}, and which changes are reported to it. */
export interface ChainOptions {
  /** Called when the target of the path may have changed. */
  listener: DirectoryListener;
  /**
   * Whether the chain belongs to a watched path, whose changes must be reported immediately. False for the
   * chain of a directory above a watched path: the directories of such a chain are polled if `pollParents` is
   * true.
   */
  direct: boolean;
  /**
   * Whether changes of the contents are reported, too: of the entries if the path is a directory, of the
   * bytes if it is a file. Symbolic links are followed.
   */
  contents: boolean;
}

// Linux follows at most this many symbolic links in a path.
const maxLinks = 40;

/**
 * Listens to every directory entry on which the target of a path depends: the entry of the path in its parent
 * directory and, if the path is a symbolic link, in the same way the entries for the link's target. Each
 * directory above the path has a `SymlinkChain` of its own, up to the root.
 */
export class SymlinkChain {
  readonly path: string;
  readonly #directories: Directories;
  readonly #options: ChainOptions;
  readonly #links: number;
  readonly #parent: ListenedDirectory | undefined;
  #entries: ListenedDirectory | undefined;
  #stopPolling: Stop | undefined;
  #next: SymlinkChain | undefined;
  #closed = false;

  constructor(path: string, directories: Directories, options: ChainOptions, links = 0) {
    this.path = path;
    this.#directories = directories;
    this.#options = options;
    this.#links = links;
    const parent = dirname(path);
    if (parent !== path) this.#parent = this.#listen(parent, basename(path));
  }

  /** Finds where the path leads now, and moves the listeners there. */
  async follow(): Promise<void> {
    const { target, isDirectory, isHardLinked } = await readEntry(this.path);
    if (this.#closed) return;

    if (target !== this.#next?.path) {
      this.#next?.close();
      this.#next = target !== undefined && this.#links < maxLinks ? this.#chainTo(target) : undefined;
    }

    const { contents, listener } = this.#options;
    const entries = contents && isDirectory;
    if (entries !== Boolean(this.#entries)) {
      this.#entries?.stop();
      this.#entries = entries ? this.#listen(this.path) : undefined;
    }

    // A file with several hard links is polled, because the watch of a directory does not report a change
    // that was made through a hard link in another directory.
    const polled = contents && isHardLinked;
    if (polled !== Boolean(this.#stopPolling)) {
      this.#stopPolling?.();
      this.#stopPolling = polled ? this.#directories.poll(() => listener()) : undefined;
    }

    await this.#next?.follow();
  }

  /**
   * Resolves once every directory of the chain is watched. Does not wait for the directories in `visited`,
   * because a caller waits for them already.
   */
  async ready(visited = new Set<ListenableDirectory>()): Promise<void> {
    await this.#parent?.directory.ready(visited);
    await this.#next?.ready(visited);
    await this.#entries?.directory.ready(visited);
  }

  close(): void {
    this.#closed = true;
    this.#parent?.stop();
    this.#entries?.stop();
    this.#stopPolling?.();
    this.#next?.close();
  }

  #chainTo(target: string) {
    return new SymlinkChain(target, this.#directories, this.#options, this.#links + 1);
  }

  #listen(path: string, name?: string): ListenedDirectory {
    const { listener, direct } = this.#options;
    const directory = this.#directories.at(path);
    return { directory, stop: directory.listen(listener, { name, direct }) };
  }
}

interface ListenedDirectory {
  directory: ListenableDirectory;
  stop: Stop;
}

interface Entry {
  target?: string;
  isDirectory: boolean;
  isHardLinked: boolean;
}

async function readEntry(path: string): Promise<Entry> {
  const neither = { isDirectory: false, isHardLinked: false };
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) {
      return { ...neither, target: resolve(await realpath(dirname(path)), await readlink(path)) };
    }
    return { isDirectory: stats.isDirectory(), isHardLinked: stats.isFile() && stats.nlink > 1 };
  } catch {
    return neither;
  }
}
