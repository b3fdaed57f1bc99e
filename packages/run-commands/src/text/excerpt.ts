import { cutText } from '../output/cut-text.ts';
import { failingLines } from '../output/failures.ts';
import type { Run } from '../run/run.ts';

export interface Line {
  readonly line: number;
  readonly text: string;
}

export interface Excerpt {
  /** The first lines that report a failure, as many as fit. */
  readonly failures: readonly Line[];
  /** How many lines report a failure, including those that are not shown. */
  readonly failingLines: number;
  readonly last: readonly Line[];
}

/** The maximum number of characters of all lines with failures. */
const failuresLength = 12_000;
/** The maximum number of characters of the last lines. */
const lastLength = 6_000;
/** The maximum number of characters of a single line. */
const lineLength = 500;

/** Returns the last lines of a run and, unless it exited with 0, the lines that report failures. */
export function excerptOf(run: Run): Excerpt {
  const lines = run.output
    .passages()
    .flatMap(({ first, lines: texts }) => texts.map((text, index) => ({ line: first + index, text })));
  const texts = lines.map(({ text }) => text);
  const failing = run.ended?.code === 0 ? [] : failingLines(texts, run.failures);
  return {
    failures: fitting(
      failing.map((index) => lines[index]!),
      failuresLength,
    ),
    failingLines: failing.length,
    last: fitting(lines.slice(-lastLength).toReversed(), lastLength).toReversed(),
  };
}

/** Returns the first lines that fit into `maxLength` characters as JSON. Long lines are cut. */
function fitting(lines: readonly Line[], maxLength: number): Line[] {
  const shown: Line[] = [];
  let rest = maxLength;
  for (const { line, text } of lines) {
    const cut = text.length > lineLength ? `${cutText(text, lineLength)}…` : text;
    rest -= JSON.stringify(cut).length + String(line).length + 2;
    if (rest < 0) break;
    shown.push({ line, text: cut });
  }
  return shown;
}
