import { fileURLToPath } from 'node:url';
import { Client, type ClientOptions } from '@mcp/protocol/testing';
import { spawnServer } from '@mcp/protocol/stdio';
import { runProgram, type ProgramInput, type ProgramOutput } from '@mcp/test-kit';

export const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));

/** Runs the built program to its end. */
export function run(args: readonly string[], options?: ProgramInput): Promise<ProgramOutput> {
  return runProgram(program, args, options);
}

/**
 * A client of the built program, in a process of its own. `stderr` is called with each line that the program
 * writes to its stderr. By default they appear only in the error of a program that ends too early.
 */
export function connectProgram(
  args: readonly string[],
  options: ClientOptions = {},
  stderr: (line: string) => void = () => {},
): Promise<Client> {
  const server = spawnServer({ command: process.execPath, args: [program, ...args], stderr });
  return Client.connect(server.channel, options);
}
