import { statSync } from 'node:fs';
import { leadsTo, visitedPaths, withParents } from './visited-paths.ts';

/** The directories that the agent may write. */
export class WritableDirectories {
  readonly paths: readonly string[];
  readonly #identities: ReadonlyMap<string, string>;

  /** Resolves the symbolic links of the paths. Throws if a path is not a directory. */
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
   * Returns the writable directory that contains the target of `path` or a symbolic link on the way to it;
   * undefined if none does. Directories are compared by device and inode, because a directory can have
   * several paths, through a second mount or in another letter case.
   */
  holding(path: string): string | undefined {
    for (const place of visitedPaths(path)) {
      for (const directory of withParents(place)) {
        // The names are compared, too, because a directory that was created anew has another inode.
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
