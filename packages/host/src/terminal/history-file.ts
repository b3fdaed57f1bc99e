import { readFileSync } from 'node:fs';
import { replaceFileSync } from '@mcp/kit/node';

/** Maximum number of lines that are kept. */
export const maxHistory = 1_000;

/** The lines of a history file, the newest first; none where it cannot be read. */
export function readHistory(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean).slice(-maxHistory).toReversed();
  } catch {
    return [];
  }
}

/** Replaces a history file, which only its user can read. If it cannot be written, it is left as it is. */
export function writeHistory(path: string, newestFirst: readonly string[]): void {
  const lines = newestFirst.toReversed().map((line) => `${line}\n`);
  try {
    replaceFileSync(path, lines.join(''));
  } catch {
    // The history is a convenience: if it cannot be written, the command continues.
  }
}
