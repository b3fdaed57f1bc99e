/** Maximum number of characters of an answer. At most `maxPage` of them are for the lines of a page. */
export const maxAnswer = 40_000;
const maxPage = 38_000;

/** Returns how many of the first lines fit on a page; at least 1. */
export function fittingLines(lines: readonly string[], max = maxPage): number {
  let characters = 0;
  for (const [index, line] of lines.entries()) {
    characters += line.length + 1;
    if (characters > max) return Math.max(index, 1);
  }
  return lines.length;
}

/**
 * Returns a text that is cut at the maximum size of an answer. A cut text ends with a note of its full
 * length.
 */
export function boundedText(text: string): string {
  if (text.length <= maxAnswer) return text;
  const end = text.lastIndexOf('\n', maxAnswer - 100);
  const kept = text.slice(0, end > maxAnswer / 2 ? end : maxAnswer - 100);
  return `${kept}\n… cut at ${kept.length} of ${text.length} characters; narrow the call`;
}

/** How many of the first rows fit on a page as JSON; at least 1. */
export function fittingJson(rows: readonly object[]): number {
  return fittingLines(rows.map((row) => JSON.stringify(row)));
}

/** The start of a text whose JSON has at most `max` characters. */
export function fittingText(text: string, max = maxPage): string {
  let kept = text.slice(0, max);
  while (kept !== '') {
    const size = JSON.stringify(kept).length;
    if (size <= max) break;
    kept = kept.slice(0, Math.floor((kept.length * max) / size));
  }
  return kept.length < text.length ? kept.replace(/[\ud800-\udbff]$/, '') : text;
}

/** How many of the first lines fit on a page. With `rows`, the row of each line must fit as JSON, too. */
export function fittingRows(lines: readonly string[], rows: readonly object[] | undefined): number {
  const shown = fittingLines(lines);
  return rows === undefined ? shown : Math.min(shown, fittingJson(rows));
}
