import type { BlameHunk } from '../commands/history/blame.ts';
import { fittingLines, fittingRows } from './bounds.ts';
import { escapeName, escapeText } from '../safe-text.ts';
import { countText } from './count-text.ts';

interface BlameTextOptions {
  readonly limit: number;
  /** Whether the lines themselves are shown. */
  readonly withText: boolean;
  /** Whether the last requested line is within `limit`, so that the answer need not say how to read on. */
  readonly isLast: boolean;
  readonly isHistoryShallow: boolean;
  /**
   * Converts a hunk to an object for structured content. If given, the JSON of the page's hunks must fit on a
   * page too.
   */
  readonly rowOf?: ((hunk: BlameHunk) => object) | undefined;
}

/** The ranges of lines on a page, as text and as objects. */
export interface BlamePage {
  readonly text: string;
  readonly hunks: readonly BlameHunk[];
  /** The line at which the next page starts; undefined on the last page. */
  readonly next: number | undefined;
}

/** Returns the ranges of lines with their commits and, if lines were left out, how to read more. */
export function blamePage(
  all: readonly BlameHunk[],
  { limit, withText, isLast, isHistoryShallow, rowOf }: BlameTextOptions,
): BlamePage {
  const hunks = fittingHunks(firstLines(all, limit), withText, rowOf);
  if (hunks.length === 0) return { text: 'The file is empty', hunks, next: undefined };
  const whole = firstLines(all, limit).reduce((sum, { lines }) => sum + lines.length, 0);
  const count = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  const isCut = count < whole;
  const { line, lines } = hunks.at(-1)!;
  const ranges = `${countText(hunks.length, 'range')}, ${countText(count, 'line')} in all`;
  const shallow = isHistoryShallow && hunks.some(({ boundary }) => boundary);
  const next = isCut || (count === limit && !isLast) ? line + lines.length : undefined;
  const text = [
    ...hunks.map((hunk) => hunkText(hunk, withText)),
    ...(shallow ? ['The history is shallow: lines of its first commit may be older'] : []),
    next === undefined ? ranges : `… ${ranges}; more with start_line ${next}`,
  ].join('\n');
  return { text, hunks, next };
}

/** Returns the first hunks, which together have at most `limit` lines. */
function firstLines(hunks: readonly BlameHunk[], limit: number): BlameHunk[] {
  let left = limit;
  return hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, left);
    left -= lines.length;
    return lines.length === 0 ? [] : [{ ...hunk, lines }];
  });
}

/** Returns the first hunks that fit on a page. If even the first is too long, it is cut between two lines. */
function fittingHunks(
  hunks: readonly BlameHunk[],
  withText: boolean,
  rowOf: BlameTextOptions['rowOf'],
): BlameHunk[] {
  const count = fittingRows(
    hunks.map((hunk) => hunkText(hunk, withText)),
    rowOf && hunks.map(rowOf),
  );
  const [first] = hunks;
  if (count > 1 || first === undefined || !withText) return hunks.slice(0, count);
  const lines = first.lines.slice(0, fittingLines(first.lines.map(escapeText)));
  return [{ ...first, lines }];
}

/** Returns a hunk as one line with its range of lines. With `withText`, its numbered lines follow. */
function hunkText({ hash, author, date, subject, line, lines }: BlameHunk, withText: boolean): string {
  const range = lines.length === 1 ? `${line}` : `${line}-${line + lines.length - 1}`;
  const head = `${hash.slice(0, 10)} ${date.slice(0, 10)} ${escapeName(author)}: ${escapeName(subject)}`;
  if (!withText) return `${range} ${head}`;
  return [head, ...lines.map((text, index) => `${line + index}\t${escapeText(text)}`)].join('\n');
}
