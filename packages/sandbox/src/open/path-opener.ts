import type { Stats } from 'node:fs';

/** An open file or directory, and its real path. Disposal closes it, as `close` does. */
export interface OpenedPath extends Disposable {
  /** The real path at the time of opening, with every symlink resolved. */
  readonly path: string;
  readonly stats: Stats;
  /** A path through which the operating system reaches exactly this file, or entries of this directory. */
  readonly base: string;
  /** Returns a descriptor for reading, which `close` also closes. */
  readable(): number;
  /** Whether the entry is still at `path`, was deleted, or was moved. */
  currentLocation(): 'unmoved' | 'deleted' | 'moved';
  /** Adds a holder. The descriptor closes when `close` was called once for each holder. */
  share(): this;
  close(): void;
}

export interface OpenOptions {
  /** Called with the real path of the opened entry; throws to refuse it. */
  readonly verify: (real: string) => void;
  /** Refuse everything that is not a directory, including a symlink to a directory. Default: false. */
  readonly directory?: boolean | undefined;
  /** Whether the caller will read the file, which may then be opened for that at once. Default: false. */
  readonly reading?: boolean | undefined;
}

/** How a platform opens a path and finds the real path of the entry. Throws errors of `node:fs`. */
export interface PathOpener {
  open(path: string | Buffer, look: OpenOptions): OpenedPath;
}
