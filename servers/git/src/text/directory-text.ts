import { listedPath } from '../backend/display-name.ts';
import { countText } from './count-text.ts';
import type { TreeEntry } from '../backend/commands/cat-file.ts';

const maxEntries = 2_000;

/** How many names a directory of a revision has, and the names, one per line; at most 2,000. */
export function directoryText(entries: readonly TreeEntry[]): string {
  if (entries.length === 0) return '';
  const lines = entries
    .slice(0, maxEntries)
    .map(({ name, kind }) => listedPath(name) + (kind === 'directory' ? '/' : ''));
  const count = countText(entries.length, 'entry', 'entries');
  return [
    `${count}${entries.length > maxEntries ? `, of which the first ${maxEntries}` : ''}:`,
    ...lines,
  ].join('\n');
}
