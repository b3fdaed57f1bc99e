import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { login } from '../packages/login/test/browser.ts';
import { passphrase } from '../packages/login/test/protected-notes.ts';
import { newest, outcomeOf, report } from './suite.ts';

// Runs the scenarios for authorization servers against the login of a server, as it is published. The user,
// who opens the page that the suite prints, is this program.

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

/** Registers a client of the suite, whose callback is at this port; returns its id. */
async function register(origin: string, port: number): Promise<string> {
  const response = await fetch(`${origin}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Suite', redirect_uris: [`http://127.0.0.1:${port}/callback`] }),
  });
  const { client_id: id } = (await response.json()) as { client_id: string };
  return id;
}

const home = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
const [port, callback] = [await freePort(), await freePort()];
const origin = `http://127.0.0.1:${port}`;
const program = fileURLToPath(new URL('../servers/filesystem/dist/main.cjs', import.meta.url));
const server = spawn(process.execPath, [program, '--http', String(port), '--login', home], {
  stdio: ['ignore', 'ignore', 'pipe'],
  env: { PATH: process.env['PATH'] ?? '', HOME: home, MCP_PASSPHRASE: passphrase },
});
for await (const line of createInterface(server.stderr)) if (line.startsWith('Listening on ')) break;

const client = ['--client-id', await register(origin, callback), '--port', String(callback)];
const suite = spawn(
  process.execPath,
  [newest, 'authorization', '--url', origin, '--resource', `${origin}/mcp`, ...client],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
let output = '';
for await (const line of createInterface(suite.stdout)) {
  output += `${line}\n`;
  if (line.startsWith(`${origin}/authorize?`)) await fetch(await login(line));
}
// Both scenarios have one successful check at least.
const successful = output.match(/✓ \S+: [1-9]\d* passed, 0 failed/g)?.length ?? 0;
report('login', { ...outcomeOf(output), ...(successful < 2 && { wrong: 1 }) });
server.kill();
await once(server, 'exit');
rmSync(home, { recursive: true });
