/** Maximum number of characters of an answer, and of the lines of a page in it. */
export const maxAnswer = 40_000;
const maxPage = 38_000;

/** The number of the first lines that fit on a page; at least one. */
export function fittingLines(lines: readonly string[], max = maxPage): number {
  let characters = 0;
  for (const [index, line] of lines.entries()) {
    characters += line.length + 1;
    if (characters > max) return Math.max(index, 1);
  }
  return lines.length;
}

/** A text that is cut at the maximum of an answer, and then says how long it is. */
export function boundedText(text: string): string {
  if (text.length <= maxAnswer) return text;
  const end = text.lastIndexOf('\n', maxAnswer - 100);
  const kept = text.slice(0, end > maxAnswer / 2 ? end : maxAnswer - 100);
  return `${kept}\n… cut at ${kept.length} of ${text.length} characters; narrow the call`;
}
