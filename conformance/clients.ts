import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { newest, type Outcome, outcomeOf, report } from './suite.ts';

// Runs the client scenarios of the official suite against a client of @mcp/protocol, and fails on anything
// that is not a success, warnings included. `pnpm --dir conformance run clients [scenario]`

const runs: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['client, every scenario', ['--suite', 'all']],
  ...['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'].map(
    (version) => [`client ${version}`, ['--suite', 'all', '--spec-version', version]] as const,
  ),
  ...['2025-11-25', '2026-07-28'].map(
    (version) => [`client, required by ${version}`, ['--requirements', version]] as const,
  ),
];

const [only, version] = process.argv.slice(2);
const wanted =
  only === undefined
    ? runs
    : [[only, ['--scenario', only, ...(version === undefined ? [] : ['--spec-version', version])]] as const];
for (const [name, args] of wanted) report(name, await outcomeBeside(args));

/**
 * The outcome of scenarios, which the suite runs side by side. `sse-retry` measures when the client connects
 * again, and its neighbours delay that on a busy machine: if it alone fails, it is run again without them.
 */
async function outcomeBeside(args: readonly string[]): Promise<Outcome> {
  const outcome = outcomeOf(await runClients(args));
  const wrong = [...outcome.output.matchAll(/^✗ ([^:]+): (\d+) passed/gm)];
  if (wrong.length !== 1 || wrong[0]![1] !== 'sse-retry') return outcome;
  console.log('sse-retry is run again alone: it measures time, and failed beside other scenarios');
  const version = args.includes('all') ? args.slice(2) : ['--spec-version', ...args.slice(1)];
  const alone = outcomeOf(await runClients(['--scenario', 'sse-retry', ...version]));
  return {
    ...alone,
    passed: outcome.passed - Number(wrong[0]![2]) + alone.passed,
    output: outcome.output + alone.output,
  };
}

/**
 * Runs scenarios and returns what the suite prints. The suite splits the command at spaces,
 * so paths are relative.
 */
async function runClients(args: readonly string[]): Promise<string> {
  const command = 'node client/main.ts';
  const child = spawn(process.execPath, [newest, 'client', '--command', command, ...args], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return out + err;
}
