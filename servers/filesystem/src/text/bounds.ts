/** The maximum number of characters of the lists and contents in an answer; notes about them follow. */
export const maxPage = 38_000;

/** The metadata of tools whose answers are longer than `maxPage` if the caller requests that. */
export const maxResultSize = { 'anthropic/maxResultSizeChars': 1_048_576 };

/** Returns how many of the first lines have at most `room` characters together; at least one. */
export function fittingLines(lines: readonly string[], room = maxPage): number {
  let length = 0;
  const over = lines.findIndex((line) => (length += line.length + 1) > room);
  return over < 0 ? lines.length : Math.max(over, 1);
}
