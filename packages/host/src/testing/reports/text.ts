import type { CallFile } from '../call-file.ts';
import type { Outcome } from '../run-calls.ts';
import { countsOf, problemLines, statusOf, type Suite } from './suite.ts';

const words = { passed: 'ok  ', failed: 'fail', skipped: 'skip' } as const;

/** The lines about one outcome, for a person. */
export function outcomeLines(file: CallFile, outcome: Outcome): readonly string[] {
  const status = statusOf(outcome);
  const note = status === 'skipped' ? `: ${outcome.skipped}` : ` (${outcome.ms.toFixed(0)} ms)`;
  return [
    `  ${words[status]}  ${outcome.name}${note}`,
    ...problemLines(file, outcome).map((line) => `        ${line.replaceAll('\n', '\n          ')}`),
  ];
}

/** The last line, such as `3 passed, 1 failed`. */
export function summaryLine(suites: readonly Suite[]): string {
  const { passed, ...others } = countsOf(suites);
  const rest = Object.entries(others).filter(([, count]) => count > 0);
  return [`${passed} passed`, ...rest.map(([status, count]) => `${count} ${status}`)].join(', ');
}

/** The outcomes as plain data, for `--json`. */
export function suiteJson({ file, server, revision, outcomes }: Suite): object {
  return {
    file: file.file,
    server,
    revision,
    calls: outcomes.map((outcome) => ({
      name: outcome.name,
      status: statusOf(outcome),
      ms: outcome.ms,
      ...(outcome.skipped !== undefined && { reason: outcome.skipped }),
      problems: outcome.problems.map(({ path, message }) => ({ message, ...file.positionOf(path) })),
    })),
  };
}
