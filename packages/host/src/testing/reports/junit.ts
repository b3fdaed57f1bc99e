import { countsOf, nameOf, problemLines, statusOf, type Suite } from './suite.ts';

/** A report in the XML that the CI services read as JUnit's. */
export function junitReport(suites: readonly Suite[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="mcp test" ${countAttributes(suites)}>`,
    ...suites.flatMap(suiteLines),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteLines(suite: Suite): readonly string[] {
  const { file, outcomes } = suite;
  const name = attribute(nameOf(suite));
  return [
    `  <testsuite name="${name}" ${countAttributes([suite])}>`,
    ...outcomes.flatMap((outcome) => {
      const { line } = file.positionOf(outcome.path);
      const place = `file="${attribute(file.file)}" line="${line}" time="${seconds(outcome.ms)}"`;
      const start = `    <testcase classname="${name}" name="${attribute(outcome.name)}" ${place}`;
      const status = statusOf(outcome);
      if (status === 'passed') return [`${start}/>`];
      const inner =
        status === 'skipped'
          ? `<skipped message="${attribute(outcome.skipped ?? '')}"/>`
          : `<failure message="${attribute(outcome.problems[0]?.message ?? '')}">${attribute(
              problemLines(file, outcome).join('\n'),
            )}</failure>`;
      return [`${start}>`, `      ${inner}`, '    </testcase>'];
    }),
    '  </testsuite>',
  ];
}

function countAttributes(suites: readonly Suite[]): string {
  const { passed, failed, skipped } = countsOf(suites);
  const ms = suites.flatMap(({ outcomes }) => outcomes).reduce((sum, outcome) => sum + outcome.ms, 0);
  return `tests="${passed + failed + skipped}" failures="${failed}" skipped="${skipped}" time="${seconds(ms)}"`;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text for an attribute or an element; characters that XML 1.0 does not have become U+FFFD. */
function attribute(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/[&<>"]/g, (each) => entities[each]!)
    .replaceAll(/[\t\n\r]/g, (each) => `&#${each.codePointAt(0)};`);
}
