import type { DirectoryEvent } from './watch-directory.ts';
import type { Stop } from './stop.ts';

/**
 * Called when an entry of a directory may have changed. `event` is `rename` if the entry was added, removed
 * or replaced, `change` if it was modified, and undefined if the system does not tell.
 */
export type DirectoryListener = (event?: DirectoryEvent) => void;

/** Which events of a directory a listener gets. */
export interface ListenOptions {
  /** The name of the entry whose events the listener gets; undefined if it gets the events of all entries. */
  name: string | undefined;
  /**
   * Whether the listener belongs to a watched path, whose changes must be reported immediately. False if it
   * belongs only to a directory above a watched path. A directory that has only such listeners is polled if
   * `pollParents` is true.
   */
  direct: boolean;
}

/** A directory to whose events listeners can be added. It is identified by its path and need not exist. */
export interface ListenableDirectory {
  /** Calls `listener` for each event of the directory, until the returned function is called. */
  listen(listener: DirectoryListener, options: ListenOptions): Stop;
  /**
   * Resolves once this directory is watched, and all directories on the way to it. `visited` has the
   * directories for which a caller waits already: a symbolic link may lead through its own directory, and
   * this directory would otherwise wait for itself.
   */
  ready(visited: Set<ListenableDirectory>): Promise<void>;
}

/** Gives access to the directories of one watcher, and to its polling timer. */
export interface Directories {
  /** Returns the directory with this path, which need not exist. */
  at(path: string): ListenableDirectory;
  /** Calls `callback` at the polling interval, until the returned function is called. */
  poll(callback: () => void): Stop;
}
