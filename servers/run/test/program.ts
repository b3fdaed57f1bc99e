import { fileURLToPath } from 'node:url';
import { Client, type ClientOptions } from '@mcp/protocol/testing';
import { spawnServer } from '@mcp/protocol/stdio';
import manifest from '../package.json' with { type: 'json' };
import { runProgram, type ProgramInput, type ProgramOutput } from '@mcp/test-kit';

export const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));

/** The name of the program in its messages. */
export const [programName = ''] = Object.keys(manifest.bin);

/** Runs the built program to its end. */
export function run(args: readonly string[], options?: ProgramInput): Promise<ProgramOutput> {
  return runProgram(program, args, options);
}

/** The built program in a process of its own, and a client of it. */
export async function connectProgram(args: readonly string[], options: ClientOptions = {}) {
  const server = spawnServer({ command: process.execPath, args: [program, ...args] });
  return { client: await Client.connect(server.channel, options), server };
}
