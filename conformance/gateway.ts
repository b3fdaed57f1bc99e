import { fileURLToPath } from 'node:url';
import { startGateway } from './gateway-program.ts';
import { newest, report, runSuite } from './suite.ts';

// Runs the official conformance suite against `mcp serve` in front of the fixture, and fails on anything that
// is not a success. `pnpm --dir conformance run gateway [scenario]`

const only = process.argv[2];
const fixture = fileURLToPath(new URL('fixture/main.ts', import.meta.url));
const { url, stop } = await startGateway('--', process.execPath, fixture);
// The revisions that most clients speak, and the one scenario of 2025-03-26; the last run has the extensions
// as well, of 2026-07-28 in the main.
for (const [name, args] of [
  ['2025-03-26', ['--spec-version', '2025-03-26']],
  ['2025-11-25', ['--spec-version', '2025-11-25']],
  ['every version, and tasks', []],
] as const) {
  const wanted = only === undefined ? ['--suite', 'all', ...args] : ['--scenario', only, ...args];
  report(`gateway, ${name}`, await runSuite(newest, url, wanted));
}
stop();
