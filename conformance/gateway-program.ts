import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const mcp = fileURLToPath(new URL('../packages/host/dist/main.cjs', import.meta.url));

/** Starts `mcp serve` over HTTP in front of one server: a URL, or `--` and a command. */
export async function startGateway(...server: readonly string[]): Promise<{ url: string; stop: () => void }> {
  const state = mkdtempSync(join(tmpdir(), 'mcp-gateway-'));
  const gateway = spawn(process.execPath, [mcp, 'serve', '--http', '0', ...server], {
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
  const stop = () => {
    gateway.once('exit', () => rmSync(state, { recursive: true, force: true }));
    gateway.kill();
  };
  return { url, stop };
}
