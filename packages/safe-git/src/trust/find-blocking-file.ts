import type { Dirent } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { quoted } from '../safe-text.ts';

/** The names of files that git opens in any directory of a work tree, or at its top. */
const workTreeFiles = /^\.(git(attributes|ignore|modules)?|mailmap)$/;

export interface Search {
  /** The top of the work tree. Outside of `gitDirs`, only files with names that git opens are examined. */
  readonly top: string;
  readonly gitDirs: readonly string[];
  /** Whether to examine files of every name, because a configuration may include any file. */
  readonly anyName?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Searches for a FIFO or a device on which git may block. Returns an error message about it; undefined if
 * there is none. It lists all directories, so it is too slow to run before each command.
 */
export async function findBlockingFile(search: Search): Promise<string | undefined> {
  const { top, gitDirs, anyName = false, signal } = search;
  const directories = [...gitDirs, top];
  const seen = new Set(directories);
  for (let at = directories.pop(); at !== undefined && !signal.aborted; at = directories.pop()) {
    const isGit = gitDirs.some((directory) => at === directory || at!.startsWith(directory + sep));
    try {
      for await (const entry of await opendir(at, { bufferSize: 512 })) {
        const path = join(at, entry.name);
        if (entry.isDirectory()) {
          if (!seen.has(path)) directories.push(path);
        } else if ((isGit || anyName || workTreeFiles.test(entry.name)) && (await blocks(entry, path)))
          return describe(path, search);
        if (signal.aborted) return undefined;
      }
    } catch {
      // The directory was deleted meanwhile, or cannot be listed.
    }
  }
  return undefined;
}

async function blocks(entry: Dirent, path: string): Promise<boolean> {
  if (entry.isFile()) return false;
  const found = entry.isSymbolicLink() ? await stat(path).catch(() => entry) : entry;
  return found.isFIFO() || found.isCharacterDevice();
}

function describe(path: string, { top, gitDirs }: Search): string {
  const from = [top, ...gitDirs].find((directory) => path.startsWith(directory + sep))!;
  const name = quoted(relative(from, path).replaceAll(sep, '/'));
  return `git waits for ${name} of the repository, which is not a regular file; remove it`;
}
