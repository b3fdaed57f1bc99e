import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { newest, report, runSuite } from './suite.ts';

// Runs the official conformance suite against `mcp serve` in front of the fixture, at every version that it knows, and
// fails on anything that is not a success. `pnpm --dir conformance run gateway [scenario]`

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
for (const version of ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', undefined]) {
  const args = version === undefined ? ['--suite', 'all'] : ['--suite', 'all', '--spec-version', version];
  const wanted = only === undefined ? args : ['--scenario', only, ...args.slice(2)];
  report(`gateway, ${version ?? 'every version, and tasks'}`, await runSuite(newest, url, wanted));
}
gateway.kill();
rmSync(state, { recursive: true, force: true });
