import { jsonText } from '../../terminal/sanitize.ts';
import { nameOf, problemLines, statusOf, type Suite } from './suite.ts';

/**
 * A report in version 14 of the Test Anything Protocol.
 * @see https://testanything.org/tap-version-14-specification.html
 */
export function tapReport(suites: readonly Suite[]): string {
  const lines: string[] = [];
  let number = 0;
  for (const suite of suites)
    for (const outcome of suite.outcomes) {
      const status = statusOf(outcome);
      const name = escaped(`${nameOf(suite)}: ${outcome.name}`);
      const skip = status === 'skipped' ? ` # SKIP ${escaped(outcome.skipped ?? '')}` : '';
      lines.push(`${status === 'failed' ? 'not ok' : 'ok'} ${++number} - ${name}${skip}`);
      // JSON strings are strings of YAML, too.
      const problems = problemLines(suite.file, outcome).map((line) => `    - ${jsonText(line)}`);
      if (problems.length > 0) problems.unshift('  problems:');
      if (status !== 'skipped')
        lines.push('  ---', ...problems, `  duration_ms: ${outcome.ms.toFixed(3)}`, '  ...');
    }
  return ['TAP version 14', `1..${number}`, ...lines, ''].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\#]/g, String.raw`\$&`);
}
