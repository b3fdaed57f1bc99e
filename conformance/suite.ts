import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const program = (name: string) => fileURLToPath(import.meta.resolve(`${name}/dist/index.js`));

/** The two published lines of the official suite. */
export const newest = program('@modelcontextprotocol/conformance');
export const before = program('conformance-0.1');

export interface Outcome {
  readonly passed: number;
  /** Checks that failed or warned. */
  readonly wrong: number;
  /** Those that need a tool of the suite's fixture, which this server does not have. */
  readonly untestable: number;
  readonly output: string;
}

/** Runs the suite against the endpoint at `url`. */
export async function runSuite(suite: string, url: string, args: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [suite, 'server', '--url', url, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return outcomeOf(out + err);
}

/** Counts the outcomes in the suite's output. */
export function outcomeOf(output: string): Outcome {
  const sum = (numbers: RegExp) =>
    [...output.matchAll(numbers)].reduce((total, [, n]) => total + Number(n), 0);
  const untestable =
    output.match(/Error: Not testable: server does not list the diagnostic tool/g)?.length ?? 0;
  return {
    // A single scenario prints passed/total, several print a sum.
    passed: sum(/Total: (\d+) passed/g) + sum(/Passed: (\d+)\//g),
    wrong: /Total: /.test(output)
      ? sum(/Total: .* (\d+) failed/g) + sum(/(\d+) warnings?/g)
      : sum(/(\d+) failed/g) + sum(/(\d+) warnings?/g),
    untestable,
    output,
  };
}

let failed = false;

/** Prints an outcome, with the whole output where a check failed; the process then exits with 1. */
export function report(name: string, { passed, wrong, untestable, output }: Outcome): void {
  // A single scenario is requested also at versions that do not have it.
  const skipped = output.includes('SKIPPED: scenario');
  if (wrong > 0 || (passed === 0 && !skipped)) {
    failed = true;
    console.log(output);
  }
  const without = untestable > 0 ? `, ${untestable} need the fixture` : '';
  console.log(`${name}: ${passed} passed, ${wrong} failed or warned${without}`);
  process.exitCode = failed ? 1 : 0;
}
