import type { CappedList, UnreadablePath } from '@mcp/sandbox';
import { fittingLines } from './bounds.ts';

/** The maximum number of paths, notes or failures that an answer lists. */
export const maxListed = 100;
/** The maximum number of characters of a list in an answer with several lists. */
const maxListLength = 7_500;

/** Returns the first lines; if there are others, a last line with their number. */
export function firstLines(lines: readonly string[], most = maxListed, maxLength = maxListLength): string[] {
  return cappedLines({ items: lines.slice(0, most), total: lines.length }, (line) => line, maxLength);
}

/** Returns a line for each kept item; if items are missing, a last line with their number. */
export function cappedLines<Item>(
  { items, total }: Pick<CappedList<Item>, 'items' | 'total'>,
  line: (item: Item) => string,
  maxLength = maxListLength,
): string[] {
  const lines = items.map(line);
  const shown = lines.slice(0, fittingLines(lines, maxLength));
  const more = total - shown.length;
  return [...shown, ...(more > 0 ? [`… ${more} more`] : [])];
}

/** Returns lines for the paths that could not be read, with the reasons. */
export function unreadableLines(paths: CappedList<UnreadablePath>): string[] {
  return cappedLines(paths, ({ path, reason }) => `Could not read ${path}: ${reason}`);
}
