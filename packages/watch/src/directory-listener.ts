import type { DirectoryEvent } from './watch-directory.ts';
import type { Stop } from './stop.ts';

/** Called for an event of a directory: `rename` when the system says that the entry itself was replaced. */
export type DirectoryListener = (event?: DirectoryEvent) => void;

/** Which events of a directory a listener is called for. */
export interface ListenOptions {
  /** The entry whose events count; without it, those of all entries. */
  name: string | undefined;
  /**
   * Whether the listener needs events immediately, and not only those of directories that
   * lead to a watched path.
   */
  direct: boolean;
}

/** A directory, by its path, that can be listened to. */
export interface ListenableDirectory {
  /** Calls `listener` until stopped. */
  listen(listener: DirectoryListener, options: ListenOptions): Stop;
  /**
   * Resolves once this directory and all that lead to it are watched; `visited` are those already awaited.
   */
  ready(visited: Set<ListenableDirectory>): Promise<void>;
}

/** The directories of one watcher. */
export interface Directories {
  /** Returns the directory with this path, which need not exist. */
  at(path: string): ListenableDirectory;
  /** Calls back at the polling interval until stopped. */
  poll(callback: () => void): Stop;
}
