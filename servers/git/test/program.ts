import { fileURLToPath } from 'node:url';
import { Client, type ClientOptions } from '@mcp/protocol/testing';
import { type SpawnedServer, spawnServer } from '@mcp/protocol/stdio';
import { runProgram, type ProgramInput, type ProgramOutput } from '@mcp/test-kit';
import type { Workspace } from './workspace.ts';

export const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));

/** Runs the built program to its end. */
export function run(args: readonly string[], options?: ProgramInput): Promise<ProgramOutput> {
  return runProgram(program, args, options);
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

/**
 * A client of a program that runs. Closing it waits until the program, which still writes to its cache, is
 * gone.
 */
export function connectTo({ channel, exited }: SpawnedServer, options: ClientOptions = {}): Promise<Client> {
  const close = channel.close.bind(channel);
  channel.close = async () => {
    await close();
    await exited;
  };
  return Client.connect(channel, options);
}
