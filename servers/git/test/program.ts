import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client, type ClientOptions } from '@mcp/protocol/testing';
import { type SpawnedServer, spawnServer } from '@mcp/protocol/stdio';
import type { Workspace } from './workspace.ts';

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));

/** Runs the built program to its end, which `open` does not bring about: then the input goes on. */
export async function run(
  args: readonly string[],
  { input = '', open = false, env = process.env as Record<string, string> } = {},
) {
  const child = spawn(process.execPath, [program, ...args], { stdio: 'pipe', env });
  child.stdin.on('error', () => {}).write(input);
  if (!open) child.stdin.end();
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, code: code as number };
}

/** The built program, in a process of its own. */
export function startProgram(workspace: Workspace, args: readonly string[]): SpawnedServer {
  return spawnServer({
    command: process.execPath,
    args: [program, ...args],
    env: workspace.environment,
    stderr: 'ignore',
  });
}

/** A client of the built program, in a process of its own. */
export function connectProgram(
  workspace: Workspace,
  args: readonly string[],
  options: ClientOptions = {},
): Promise<Client> {
  return connectTo(startProgram(workspace, args), options);
}

/** A client of a program that runs. Closing it waits until the program, which still writes to its cache, is gone. */
export function connectTo({ channel, exited }: SpawnedServer, options: ClientOptions = {}): Promise<Client> {
  const close = channel.close.bind(channel);
  channel.close = async () => {
    await close();
    await exited;
  };
  return Client.connect(channel, options);
}
