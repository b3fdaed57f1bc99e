/** Matches the lines in which compilers, linters and test runners of many languages tell of a failure. */
export const defaultFailures =
  /(?<![\w.-]|\b(?:0|no) )(?:errors?|fatal|fail(?:ed|ures?|ing)?|panic(?:ked)?|traceback|not ok|assertion\w*)(?![\w/-]|\.\w)|\w(?:Error|Exception)\b|^\s*[✗✘✖×❌]|^E {2,}|Segmentation fault/iu;

/** How many lines after a line of a failure are shown with it. */
const linesAfter = 2;

/** The indexes of the lines that tell of a failure, each with those after it. */
export function failingLines(lines: readonly string[], pattern: RegExp): number[] {
  const found = new Set<number>();
  for (const [index, line] of lines.entries()) {
    // The patterns of an operator may be slow on a long line.
    if (!pattern.test(line.slice(0, 2_000))) continue;
    for (let at = index; at <= Math.min(index + linesAfter, lines.length - 1); at++) found.add(at);
  }
  return [...found];
}
