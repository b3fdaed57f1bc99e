import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The lines that are kept. */
export const maxHistory = 1_000;

/** The lines of a history file, the newest first; none where it cannot be read. */
export function readHistory(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean).slice(-maxHistory).toReversed();
  } catch {
    return [];
  }
}

/** Replaces a history file, which its user alone can read. A file that cannot be written is left as it is. */
export function writeHistory(path: string, newestFirst: readonly string[]): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(
      temporary,
      newestFirst
        .toReversed()
        .map((line) => `${line}\n`)
        .join(''),
      { mode: 0o600 },
    );
    renameSync(temporary, path);
  } catch {
    // A history is no reason to fail.
  }
}
