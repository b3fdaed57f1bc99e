import { matchingTexts } from '../text/matching-texts.ts';

/** Matches the lines in which compilers, linters and test runners of many languages tell of a failure. */
export const defaultFailures =
  /(?<![\w.-]|\b(?:0|no) )(?:errors?|fatal|fail(?:ed|ures?|ing)?|panic(?:ked)?|traceback|not ok|assertion\w*)(?![\w/-]|\.\w)|\w(?:Error|Exception)\b|^\s*[✗✘✖×❌]|^E {2,}|Segmentation fault/iu;

/** How many lines after a line of a failure are shown with it. */
const linesAfter = 2;
/** The patterns of an operator may be slow: so many characters of a line are searched, for so long. */
const maxLength = 2_000;
const maxMs = 5_000;

/** The indexes of the lines that tell of a failure, each with those after it. */
export function failingLines(lines: readonly string[], pattern: RegExp): number[] {
  const found = new Set<number>();
  const begins = lines.map((line) => line.slice(0, maxLength));
  for (const index of matchingTexts(pattern, begins, maxMs).found) {
    for (let at = index; at <= Math.min(index + linesAfter, lines.length - 1); at++) found.add(at);
  }
  return [...found];
}
