import { beginningOf } from '@mcp/sqlite-pool';

/** Maximum number of characters of an answer, unless the caller asks for more. */
export const maxAnswerLength = 40_000;

/** Maximum number of characters of the lines of an answer, which leaves room for its other parts. */
const maxLinesLength = 30_000;

/** Returns the first lines that fit and, if lines are left out, the text of `rest` about their number. */
export function boundedLines(
  lines: readonly string[],
  rest: (count: number) => string,
  maxLength = maxLinesLength,
): readonly string[] {
  let length = 0;
  const fitting = lines.findIndex((line) => (length += line.length + 1) > maxLength);
  if (fitting === -1) return lines;
  const shown = Math.max(fitting, 1);
  const kept = lines.slice(0, shown).map((line) => beginningOf(line, maxLength));
  return shown === lines.length ? kept : [...kept, rest(lines.length - shown)];
}
