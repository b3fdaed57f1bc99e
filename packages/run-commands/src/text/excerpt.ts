import { cutText } from '../output/cut-text.ts';
import { failingLines } from '../output/failures.ts';
import type { Run } from '../run/run.ts';

/** A line of an output. */
export interface Line {
  readonly line: number;
  readonly text: string;
}

/** The lines of an output that an answer shows. */
export interface Excerpt {
  /** The first lines that tell of a failure. */
  readonly failures: readonly Line[];
  /** How many lines tell of a failure, shown or not. */
  readonly failingLines: number;
  readonly last: readonly Line[];
}

/** The most characters of the failures, of the last lines, and of one line. */
const failuresLength = 12_000;
const lastLength = 6_000;
const lineLength = 500;

/** The failures of a run that has not ended well, and its last lines. */
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

/** The first lines that fit into this many characters as JSON; long ones are cut. */
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
