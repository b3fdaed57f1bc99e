import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startGateway } from './gateway-program.ts';
import { newest, runSuite } from './suite.ts';

// Runs the official conformance suite against the example server of the official SDK, directly and through
// `mcp serve`, and fails on a check that passes directly and does not pass through the gateway.

const versions = ['2025-03-26', '2025-06-18', '2025-11-25'];

/**
 * Checks that pass directly for another reason than they test: the example server has not the tool that they
 * call. It refuses that in a result and in a stream, the gateway by an error.
 */
const withoutTool = new Set([
  'server-tools-call-simple-text: tools-call-simple-text',
  'server-tools-call-error: tools-call-error',
  'server-server-sse-polling: server-sse-priming-event',
]);

/**
 * The outcomes that a check may have through the gateway. INFO says that responses are no
 * streams, which they may be.
 */
const fine: readonly (string | undefined)[] = ['SUCCESS', 'INFO'];

/** The checks of a run, as `scenario: id`, with their outcomes. */
async function checksOf(url: string, version: string): Promise<ReadonlyMap<string, string>> {
  const directory = mkdtempSync(join(tmpdir(), 'mcp-checks-'));
  await runSuite(newest, url, ['--suite', 'all', '--spec-version', version, '--output-dir', directory]);
  const files = globSync('*/checks.json', { cwd: directory }).map((file) => join(directory, file));
  const checks = files.flatMap((file) => {
    // The directory of a scenario ends with the time of its run.
    const scenario = basename(dirname(file)).replace(/-\d{4}-\d\d-\d\dT.*$/, '');
    const found = JSON.parse(readFileSync(file, 'utf8')) as { id: string; status: string }[];
    return found.map(({ id, status }) => [`${scenario}: ${id}`, status] as const);
  });
  rmSync(directory, { recursive: true });
  return new Map(checks);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (typeof address !== 'object' || !address) throw new Error('No port is free');
  return address.port;
}

const port = await freePort();
const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const example = spawn(process.execPath, [program, 'streamableHttp'], {
  stdio: ['ignore', 'ignore', 'pipe'],
  env: { ...process.env, PORT: String(port) },
});
await new Promise<void>((resolve) => {
  createInterface(example.stderr).on('line', (line) => {
    if (line.includes('listening on port')) resolve();
  });
});
const direct = `http://127.0.0.1:${port}/mcp`;
const { url: gateway, stop } = await startGateway(direct);
for (const version of versions) {
  const [expected, found] = await Promise.all([checksOf(direct, version), checksOf(gateway, version)]);
  const passing = [...expected].filter(([, status]) => status === 'SUCCESS').map(([check]) => check);
  const failed = passing.filter((check) => !withoutTool.has(check) && !fine.includes(found.get(check)));
  for (const check of failed) console.log(`${check}: ${found.get(check) ?? 'not run'} through the gateway`);
  const through = [...found.values()].filter((status) => status === 'SUCCESS').length;
  console.log(
    `example server, ${version}: ${passing.length} of ${expected.size} checks pass directly, ` +
      `${through} through the gateway, ${failed.length} only directly`,
  );
  if (failed.length > 0 || passing.length === 0) process.exitCode = 1;
}
stop();
example.kill();
