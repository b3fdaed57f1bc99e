import { lineEndingAt } from '../text/line-endings.ts';
import { lineNumber } from './locate-edit.ts';

/** Maximum characters of an edited file: many replacements by a long text could fill the memory. */
export const maxEditedLength = 64 * 1024 * 1024;
const maxNamedLines = 10;

export interface ReplacedOccurrences {
  readonly text: string;
  /** The line number, from 1, of the first occurrence. */
  readonly line: number;
  readonly occurrences: number;
}

/**
 * Replaces all occurrences of a text; the new text gets the file's line breaks. Returns undefined if the text
 * does not occur. Throws if it occurs, but not `count` times (0 accepts any number).
 */
export function replaceOccurrences(
  text: string,
  { oldText, newText }: { readonly oldText: string; readonly newText: string },
  count: number,
): ReplacedOccurrences | undefined {
  const wanted = text.includes(oldText) ? oldText : oldText.replaceAll(/\r?\n/g, '\r\n');
  const starts: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) starts.push(at);
  const [first] = starts;
  if (first === undefined) return undefined;
  if (count > 0 && starts.length !== count)
    throw new Error(wrongCount('oldText occurs', text, starts, starts.length, count));
  const isLiteral = !newText.includes('\n') || newText.includes('\r') || oldText.includes('\r');
  const replacement = isLiteral ? newText : newText.replaceAll('\n', lineEndingAt(text, first, first));
  if (text.length + starts.length * (replacement.length - wanted.length) > maxEditedLength) throw tooLong();
  return {
    text: text.split(wanted).join(replacement),
    line: lineNumber(text, first),
    occurrences: starts.length,
  };
}

/** Returns the message that a text does not occur `count` times, with the lines of the first occurrences. */
export function wrongCount(
  finding: string,
  text: string,
  starts: readonly number[],
  occurrences: number,
  count: number,
): string {
  const lines = starts.slice(0, maxNamedLines).map((at) => lineNumber(text, at));
  const more = occurrences > maxNamedLines ? ', …' : '';
  const times = occurrences === 1 ? 'once' : `${occurrences} times`;
  const where = `at line ${[...new Set(lines)].join(', ')}${more}`;
  return `${finding} ${times} (${where}), but count is ${count}; set count to ${occurrences}, or to 0 for any number`;
}

export function tooLong(): Error {
  return new Error(`The edited file would have more than ${maxEditedLength} characters`);
}
