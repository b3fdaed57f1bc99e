import type { CallFile } from '../call-file.ts';
import type { Outcome } from '../run-calls.ts';

/** The outcomes of one file at one revision. */
export interface Suite {
  readonly file: CallFile;
  readonly server: string;
  /** The revision of the protocol; undefined if the server could not be started at its newest one. */
  readonly revision: string | undefined;
  readonly outcomes: readonly Outcome[];
}

export type Status = 'passed' | 'failed' | 'skipped';

export function statusOf({ problems, skipped }: Outcome): Status {
  if (skipped !== undefined) return 'skipped';
  return problems.length > 0 ? 'failed' : 'passed';
}

/** The name of a suite, such as `calls.yaml, notes at 2026-07-28`. */
export function nameOf({ file, server, revision }: Omit<Suite, 'outcomes'>): string {
  return `${file.file}, ${server}${revision === undefined ? '' : ` at ${revision}`}`;
}

/** One line for each failed assertion: `calls.yaml:14:7: text: expected …`. */
export function problemLines(file: CallFile, { problems }: Outcome): readonly string[] {
  return problems.map(({ path, message }) => {
    const { line, column } = file.positionOf(path);
    return `${file.file}:${line}:${column}: ${message}`;
  });
}

/** How many outcomes have each status. */
export function countsOf(suites: readonly Suite[]): Readonly<Record<Status, number>> {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { outcomes } of suites) for (const outcome of outcomes) counts[statusOf(outcome)]++;
  return counts;
}
