import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { newest, outcomeOf, report } from './suite.ts';

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
for (const [name, args] of wanted) report(name, outcomeOf(await runClients(args)));

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
