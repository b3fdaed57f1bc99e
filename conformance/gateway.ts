import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { newest, report, runSuite } from './suite.ts';

// Runs the official conformance suite against `mcp serve` in front of the fixture, and fails on anything that is not a success. `pnpm --dir conformance run gateway [scenario]`

const only = process.argv[2];
const mcp = fileURLToPath(new URL('../packages/host/dist/main.cjs', import.meta.url));
const fixture = fileURLToPath(new URL('fixture/main.ts', import.meta.url));
const state = mkdtempSync(join(tmpdir(), 'mcp-gateway-'));
const gateway = spawn(process.execPath, [mcp, 'serve', '--http', '0', '--', process.execPath, fixture], {
  stdio: ['ignore', 'ignore', 'pipe'],
  env: { ...process.env, XDG_STATE_HOME: state, XDG_CACHE_HOME: state },
});
const url = await new Promise<string>((resolve) => {
  createInterface(gateway.stderr).on('line', (line) => {
    const [, address] = /^Listening on (.+)$/.exec(line) ?? [];
    if (address === undefined) console.error(line);
    else resolve(address);
  });
});
// The revisions that most clients speak; the second run has the extensions as well, of 2026-07-28 in the main.
for (const [name, args] of [
  ['2025-11-25', ['--spec-version', '2025-11-25']],
  ['every version, and tasks', []],
] as const) {
  const wanted = only === undefined ? ['--suite', 'all', ...args] : ['--scenario', only, ...args];
  report(`gateway, ${name}`, await runSuite(newest, url, wanted));
}
gateway.kill();
rmSync(state, { recursive: true, force: true });
