import { pageOf, type Place } from '../output/page.ts';
import type { CommandRunner } from '../run/command-runner.ts';
import { statusLine } from './run-text.ts';

/**
 * Maximum number of characters of a page. With its first and last line, an answer has fewer than 40,000: up
 * to this length, the server asks hosts to show an answer whole.
 */
const pageLength = 39_500;

export interface OutputPage {
  /** The status of the run, the lines in the form `12⇥text`, and the cursor of the next page. */
  readonly text: string;
  readonly status: string;
  /** The page as structured values. `next` is the cursor of the next page. */
  readonly facts: { readonly run: number; readonly text: string; readonly next: string | null };
}

/**
 * The cursor is `run`, `run:line` or `run:line:column`. With `match`, the page has only lines that contain
 * it. Throws for any other cursor, and for a run that is not kept.
 */
export function outputPage(runner: CommandRunner, cursor: string, match = ''): OutputPage {
  const [, id = '', line = '1', column = '0'] =
    /^(\d{1,9})(?::(\d{1,12})(?::(\d{1,12}))?)?$/.exec(cursor) ?? [];
  if (id === '')
    throw new Error(
      `Invalid cursor: ${JSON.stringify(cursor)}; expected a cursor of an answer, such as "3:1:0", or the number of a run`,
    );
  const run = runner.run(Number(id));
  const from: Place = { line: Math.max(1, Number(line)), column: Number(column) };
  const page = pageOf(run.output, from, pageLength, match);
  const next = page.next ? `${id}:${page.next.line}:${page.next.column}` : null;
  const found = page.text === '' ? nothingText(from.line, run.output.lines, match) : page.text;
  const status = statusLine(run);
  return {
    text: `${status}\n${found}${next === null ? '' : `\nMore: cursor "${next}"`}`,
    status,
    facts: { run: run.id, text: page.text, next },
  };
}

function nothingText(line: number, lines: number, match: string): string {
  if (lines > 0 && line > lines) return `No line ${line}: there are ${lines}`;
  return match === '' ? 'No output' : `No line from ${line} on contains ${JSON.stringify(match)}`;
}
