import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { Folder, Heard } from './watched-directory.ts';
import type { Folders } from './directory-registry.ts';
import type { Stop } from './stop.ts';

/** What the owner of a route wants to hear of. */
export interface RouteOptions {
  /** Called when what the path leads to may have changed. */
  heard: Heard;
  /** Whether the owner wants to hear at once, and not merely of changes on the way to somewhere else. */
  direct: boolean;
  /** Whether a directory's own entries count. */
  inside: boolean;
}

// As many as Linux follows.
const MAX_LINKS = 40;

/**
 * All that decides what a path leads to: its entry in the directory above, and, where that is a symbolic link,
 * the route of the link's target. The directory above has a route itself, and so on up to the root.
 */
export class Route {
  readonly path: string;
  readonly #folders: Folders;
  readonly #options: RouteOptions;
  readonly #links: number;
  readonly #entry: Listening | undefined;
  #inside: Listening | undefined;
  #next: Route | undefined;
  #closed = false;

  constructor(path: string, folders: Folders, options: RouteOptions, links = 0) {
    this.path = path;
    this.#folders = folders;
    this.#options = options;
    this.#links = links;
    const above = dirname(path);
    if (above !== path) this.#entry = this.#listen(above, basename(path));
  }

  /** Looks where the path leads now, and listens there from now on. */
  async follow(): Promise<void> {
    const { target, directory } = await look(this.path);
    if (this.#closed) return;

    if (target !== this.#next?.path) {
      this.#next?.close();
      this.#next = target !== undefined && this.#links < MAX_LINKS ? this.#to(target) : undefined;
    }

    const inside = directory && this.#options.inside;
    if (inside !== Boolean(this.#inside)) {
      this.#inside?.stop();
      this.#inside = inside ? this.#listen(this.path) : undefined;
    }

    await this.#next?.follow();
  }

  /** Resolves once every directory on the way is listened to; `asked` are those that need no more waiting. */
  async ready(asked = new Set<Folder>()): Promise<void> {
    await this.#entry?.folder.ready(asked);
    await this.#next?.ready(asked);
    await this.#inside?.folder.ready(asked);
  }

  close(): void {
    this.#closed = true;
    this.#entry?.stop();
    this.#inside?.stop();
    this.#next?.close();
  }

  #to(target: string) {
    return new Route(target, this.#folders, this.#options, this.#links + 1);
  }

  #listen(directory: string, name?: string): Listening {
    const { heard, direct } = this.#options;
    const folder = this.#folders.at(directory);
    return { folder, stop: folder.listen(heard, { name, direct }) };
  }
}

interface Listening {
  folder: Folder;
  stop: Stop;
}

async function look(path: string): Promise<{ target?: string; directory: boolean }> {
  try {
    const stats = await lstat(path);
    if (!stats.isSymbolicLink()) return { directory: stats.isDirectory() };
    return { target: resolve(await realpath(dirname(path)), await readlink(path)), directory: false };
  } catch {
    return { directory: false };
  }
}
