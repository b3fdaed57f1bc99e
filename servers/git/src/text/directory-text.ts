import { displayName } from '../backend/display-name.ts';
import type { TreeEntry } from '../backend/commands/cat-file.ts';

const most = 2_000;

/** What is in a directory of a revision, one name in a line; of very many, the first. */
export function directoryText(entries: readonly TreeEntry[]): string {
  const lines = entries
    .slice(0, most)
    .map(({ name, kind }) => displayName(name) + (kind === 'directory' ? '/' : ''));
  if (entries.length > most) lines.push(`… ${entries.length} in all`);
  return lines.join('\n');
}
