import { matchingTexts } from '../text/matching-texts.ts';

/** Matches lines in which compilers, linters and test runners of many languages report a failure. */
export const defaultFailures =
  /(?<![\w.-]|\b(?:0|no) )(?:errors?|fatal|fail(?:ed|ures?|ing)?|panic(?:ked)?|traceback|not ok|assertion\w*)(?![\w/-]|\.\w)|\w(?:Error|Exception)\b|^\s*[✗✘✖×❌]|^E {2,}|Segmentation fault/iu;

/** How many of the lines after a line with a failure are shown with it. */
const linesAfter = 2;
/** How many characters of a line are searched: an operator's pattern may be slow for long lines. */
const maxLength = 2_000;
/** How many milliseconds the search of all lines may take; failures not found by then are missing. */
const maxMs = 5_000;

/** Returns the indexes of the lines that report a failure, and of the lines after each. */
export function failingLines(lines: readonly string[], pattern: RegExp): number[] {
  const found = new Set<number>();
  const begins = lines.map((line) => line.slice(0, maxLength));
  for (const index of matchingTexts(pattern, begins, maxMs).found) {
    for (let at = index; at <= Math.min(index + linesAfter, lines.length - 1); at++) found.add(at);
  }
  return [...found];
}
