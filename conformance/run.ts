import { serveHttp } from '@mcp/protocol/http';
import { fixture } from './fixture/fixture.ts';
import { before, newest, report, runSuite } from './suite.ts';

// Runs the official conformance suite in both published lines, at every version they know, and fails on
// anything that is not a success. `pnpm conformance [scenario]`

const runs: readonly (readonly [name: string, program: string, args: readonly string[]])[] = [
  // Without a version the suite runs the extensions as well.
  ['0.2 every version, and tasks', newest, ['--suite', 'all']],
  ...['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'].map(
    (version) => [`0.2 ${version}`, newest, ['--suite', 'all', '--spec-version', version]] as const,
  ),
  ...['2025-06-18', '2025-11-25'].map(
    (version) => [`0.1 ${version}`, before, ['--suite', 'all', '--spec-version', version]] as const,
  ),
];

const only = process.argv[2];
const listener = await serveHttp(await fixture(), {
  limits: { maxStreamMs: 500, retryMs: 300 },
  onWarning: (message) => console.error(message),
});
for (const [name, suite, args] of runs) {
  const wanted = only === undefined ? args : ['--scenario', only, ...args.slice(2)];
  report(name, await runSuite(suite, listener.url, wanted));
}
await listener.close();
