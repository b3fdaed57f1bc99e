import { displayName } from '../backend/display-name.ts';
import type { TreeEntry } from '../backend/commands/cat-file.ts';

const maxEntries = 2_000;

/** The names in a directory of a revision, one per line; at most 2,000. */
export function directoryText(entries: readonly TreeEntry[]): string {
  const lines = entries
    .slice(0, maxEntries)
    .map(({ name, kind }) => displayName(name) + (kind === 'directory' ? '/' : ''));
  if (entries.length > maxEntries) lines.push(`… ${entries.length} in all`);
  return lines.join('\n');
}
