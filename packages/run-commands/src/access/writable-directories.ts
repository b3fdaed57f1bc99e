import { statSync } from 'node:fs';
import { leadsTo, visitedPaths, withParents } from './visited-paths.ts';

/** The directories that the agent may write. */
export class WritableDirectories {
  /** Their paths without symbolic links. */
  readonly paths: readonly string[];
  readonly #identities: ReadonlyMap<string, string>;

  /** Throws if a path is not a directory. */
  constructor(paths: readonly string[]) {
    this.paths = [...new Set(paths.map(leadsTo))];
    this.#identities = new Map(
      this.paths.map((path) => {
        const identity = directoryIdentity(path);
        if (identity === undefined) throw new Error(`No such directory: "${path}"`);
        return [identity, path];
      }),
    );
  }

  /**
   * The directory through which a path can be changed: it holds the path, a symbolic link on its way, or what
   * they lead to. Directories are compared by device and inode, so that a second mount or another
   * case of the letters is the same one.
   */
  holding(path: string): string | undefined {
    for (const place of visitedPaths(path)) {
      for (const directory of withParents(place)) {
        // By its name too: it may have been made anew.
        if (this.paths.includes(directory)) return directory;
        const found = this.#identities.get(directoryIdentity(directory) ?? '');
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }
}

function directoryIdentity(path: string): string | undefined {
  try {
    const status = statSync(path, { bigint: true });
    return status.isDirectory() ? `${status.dev}:${status.ino}` : undefined;
  } catch {
    return undefined;
  }
}
