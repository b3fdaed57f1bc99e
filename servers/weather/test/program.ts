import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client, type ClientOptions } from '@mcp/protocol/testing';
import { spawnServer } from '@mcp/protocol/stdio';

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));

/** Runs the built program to its end. */
export async function run(
  args: readonly string[],
  { input = '', env = process.env as Record<string, string> } = {},
) {
  const child = spawn(process.execPath, [program, ...args], { stdio: 'pipe', env });
  child.stdin.on('error', () => {}).end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, code: code as number };
}

/** A client of the built program, in a process of its own. */
export function connectProgram(args: readonly string[], options: ClientOptions = {}): Promise<Client> {
  const server = spawnServer({ command: process.execPath, args: [program, ...args] });
  return Client.connect(server.channel, options);
}
