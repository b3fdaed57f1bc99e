import type { DirectoryEvent } from './watch-directory.ts';
import type { Stop } from './stop.ts';

/**
 * Called when an entry of a directory may have changed. `event` is `rename` if the entry was added, removed
 * or replaced, `change` if it was modified, and undefined if the system does not tell.
 */
export type DirectoryListener = (event?: DirectoryEvent) => void;

/** Which events of a directory a listener gets. */
export interface ListenOptions {
  /** The name of the entry whose events the listener gets; undefined for those of all entries. */
  name: string | undefined;
  /**
   * Whether the listener belongs to a watched path, and so needs events immediately. False for a listener
   * that only needs to know where a path leads: the directory may then be polled.
   */
  direct: boolean;
}

/** A directory to whose events listeners can be added. It is identified by its path and need not exist. */
export interface ListenableDirectory {
  /** Calls `listener` for each event of the directory, until the returned function is called. */
  listen(listener: DirectoryListener, options: ListenOptions): Stop;
  /**
   * Resolves once this directory and all directories that lead to it are watched. `visited` has the
   * directories that are already awaited, so that a symbolic link through itself does not wait for itself.
   */
  ready(visited: Set<ListenableDirectory>): Promise<void>;
}

/** The directories of one watcher. */
export interface Directories {
  /** Returns the directory with this path, which need not exist. */
  at(path: string): ListenableDirectory;
  /** Calls `callback` at the polling interval, until the returned function is called. */
  poll(callback: () => void): Stop;
}
