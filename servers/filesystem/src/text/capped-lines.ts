import type { CappedList } from '../backend/capped-list.ts';
import type { UnreadablePath } from '../backend/traverse/path-filter.ts';

/** A line for each kept item, and one that says how many more there are. */
export function cappedLines<Item>(
  { items, total }: CappedList<Item>,
  line: (item: Item) => string,
): string[] {
  const more = total - items.length;
  return [...items.map(line), ...(more > 0 ? [`… ${more} more`] : [])];
}

/** The paths that could not be read, with the reasons. */
export function unreadableLines(paths: CappedList<UnreadablePath>): string[] {
  return cappedLines(paths, ({ path, reason }) => `Could not read ${path}: ${reason}`);
}
