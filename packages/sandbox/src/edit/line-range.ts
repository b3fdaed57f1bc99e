import { lineEndingAt } from '../text/line-endings.ts';

/** Lines, numbered from 1. If `last` is `first` - 1, the range is empty and lies before line `first`. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Returns the offsets of a range of lines, with their line breaks. Throws if the text has fewer lines. */
export function offsetsOf(text: string, { first, last }: LineRange): { start: number; end: number } {
  if (last < first - 1)
    throw new Error(
      `Invalid range of lines: ${first} to ${last}; to insert before line ${first}, give endLine ${first - 1}`,
    );
  const start = startOfLine(text, first);
  const end = last < first ? start : last === Infinity ? text.length : startOfLine(text, last + 1);
  if (start !== undefined && end !== undefined && (start < text.length || last < first))
    return { start, end };
  const range = first >= last ? `Line ${first} does` : `Lines ${first} to ${last} do`;
  throw new Error(`${range} not exist: the file has ${countLines(text)} lines`);
}

/** Replaces whole lines. The new lines get the line endings of the file, also at their end. */
export function replaceLines(text: string, range: LineRange, newText: string): string {
  const { start, end } = offsetsOf(text, range);
  const lineEnding = lineEndingAt(text, start, end);
  const written = newText.includes('\r') ? newText : newText.replaceAll('\n', lineEnding);
  const isUnended = start === text.length && start > 0 && !/[\r\n]$/.test(text);
  // If the last line of the file has no line break, the replacement of this line gets none either.
  const keepsEnd = end === text.length && end > start && !/[\r\n]$/.test(text);
  const needsEnd = written !== '' && !/[\r\n]$/.test(written) && !keepsEnd && !isUnended;
  return (
    text.slice(0, start) +
    (isUnended ? lineEnding : '') +
    written +
    (needsEnd ? lineEnding : '') +
    text.slice(end)
  );
}

/**
 * Returns the offset at which a line begins. If `number` is one more than the number of lines, returns the
 * end of the text; for a higher number, undefined.
 */
function startOfLine(text: string, number: number): number | undefined {
  if (number === 1) return 0;
  let line = 1;
  for (const { 0: lineBreak, index } of text.matchAll(/\r\n?|\n/g))
    if (++line === number) return index + lineBreak.length;
  const isAfterLast = number === line + 1 && !/[\r\n]$/.test(text) && text !== '';
  return isAfterLast ? text.length : undefined;
}

function countLines(text: string): number {
  const breaks = text.match(/\r\n?|\n/g)?.length ?? 0;
  return text === '' || /[\r\n]$/.test(text) ? breaks : breaks + 1;
}
