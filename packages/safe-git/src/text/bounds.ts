/** Maximum number of characters of an answer. The lines of a page may have `maxPage` characters of it. */
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

/** Returns a text that is cut at the maximum size of an answer. A cut text ends with the whole length. */
export function boundedText(text: string): string {
  if (text.length <= maxAnswer) return text;
  const end = text.lastIndexOf('\n', maxAnswer - 100);
  const kept = text.slice(0, end > maxAnswer / 2 ? end : maxAnswer - 100);
  return `${kept}\n… cut at ${kept.length} of ${text.length} characters; narrow the call`;
}

/** The number of the first rows whose JSON fits on a page; at least one. */
export function fittingJson(rows: readonly object[]): number {
  return fittingLines(rows.map((row) => JSON.stringify(row)));
}

/** The number of the first lines that fit on a page and, with `rows`, whose rows fit as JSON. */
export function fittingRows(lines: readonly string[], rows: readonly object[] | undefined): number {
  const shown = fittingLines(lines);
  return rows === undefined ? shown : Math.min(shown, fittingJson(rows));
}
