/**
 * Appended to the error for an `oldText` that does not occur, if {@link withoutLineNumbers} returns a text.
 */
export const lineNumbersHint =
  '; its lines begin with line numbers, which are not in the file: leave them out';

/**
 * Removes the number and the tab with which reads and searches begin each line. Undefined if a line has none.
 */
export function withoutLineNumbers(text: string): string | undefined {
  const lines = text.replace(/\r?\n$/, '').split('\n');
  if (!lines.every((line) => /^\d+-?\t/.test(line))) return undefined;
  return lines.map((line) => line.slice(line.indexOf('\t') + 1)).join('\n');
}
