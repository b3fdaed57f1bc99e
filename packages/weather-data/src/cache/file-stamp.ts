import { type Stats, statSync } from 'node:fs';

/** A text that changes whenever a file changes; undefined if the file is missing. */
export function stampOf(path: string): string | undefined {
  const stats = statsOf(path);
  return stats && `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
}

function statsOf(path: string): Stats | undefined {
  try {
    // A synchronous `stat` takes microseconds; a worker thread would take twenty times as long.
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
