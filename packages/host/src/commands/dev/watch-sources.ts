import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Directories of installed and built files, which change without the author. */
const ignored = new Set(['node_modules', 'dist', 'coverage']);
const maxDirectories = 1_000;
/** Milliseconds without a change after which the sources count as saved. */
const settleMs = 100;

export interface SourceWatchOptions {
  /** Called when files below the directory have changed. */
  readonly changed: () => void;
  readonly onWarning: (message: string) => void;
}

/**
 * Watches the files below a directory, without hidden directories, `node_modules`, `dist` and `coverage`.
 * Returns a function that ends the watch.
 */
export async function watchSources(
  directory: string,
  { changed, onWarning }: SourceWatchOptions,
): Promise<() => void> {
  const { Watcher } = await import('@mcp/watch');
  const watcher = new Watcher({ onWarning });
  const watched = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const watchNew = async () => {
    const directories = await directoriesBelow(directory);
    if (directories.length === maxDirectories && watched.size < maxDirectories)
      onWarning(`Only the first ${maxDirectories} directories below "${directory}" are watched`);
    const added = directories.filter((path) => !watched.has(path));
    for (const path of added) watched.add(path);
    await Promise.all(
      added.map((path) =>
        watcher.watch(path, async () => {
          clearTimeout(timer);
          timer = setTimeout(changed, settleMs);
          await watchNew();
        }),
      ),
    );
  };
  await watchNew();
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

/** A directory and those below it, the nearest first, at most `maxDirectories`. */
async function directoriesBelow(directory: string): Promise<string[]> {
  const found = [directory];
  for (let index = 0; index < found.length && found.length < maxDirectories; index++) {
    const path = found[index]!;
    // The directory may have been removed since it was listed.
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const entry of entries)
      if (entry.isDirectory() && !entry.name.startsWith('.') && !ignored.has(entry.name))
        found.push(join(path, entry.name));
  }
  return found.slice(0, maxDirectories);
}
