import type { CappedList, UnreadablePath } from '@mcp/sandbox';

/** Returns a line for each kept item; if items are missing, a last line with their number. */
export function cappedLines<Item>(
  { items, total }: CappedList<Item>,
  line: (item: Item) => string,
): string[] {
  const more = total - items.length;
  return [...items.map(line), ...(more > 0 ? [`… ${more} more`] : [])];
}

/** Returns lines for the paths that could not be read, with the reasons. */
export function unreadableLines(paths: CappedList<UnreadablePath>): string[] {
  return cappedLines(paths, ({ path, reason }) => `Could not read ${path}: ${reason}`);
}
