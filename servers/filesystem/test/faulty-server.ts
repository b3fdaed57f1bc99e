import { execFileSync } from 'node:child_process';
import { openSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import type { Workspace } from './workspace.ts';

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));
const source = fileURLToPath(new URL('inject-faults.c', import.meta.url));
/** In the order of the library's constants. */
const calls = ['open', 'write', 'fsync', 'rename', 'link', 'unlink', 'close', 'read'] as const;
export interface Fault {
  readonly call: (typeof calls)[number];
  /** The number of calls that succeed before. */
  readonly after: number;
  readonly error: number;
  readonly isLasting: boolean;
}

/**
 * The built server with a library that lets calls of the operating system fail for paths in a directory.
 * Undefined without a C compiler.
 */
export async function startFaulty(
  workspace: Workspace,
  { args = [], directory = workspace.root }: { args?: readonly string[]; directory?: string } = {},
) {
  const library = join(workspace.base, 'faults.so');
  const control = join(workspace.base, 'control');
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl'], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  writeFileSync(control, Buffer.alloc(20));
  const fd = openSync(control, 'r+');
  const set = (...numbers: number[]) => writeSync(fd, Int32Array.from(numbers), 0, 20, 0);
  const server = spawnServer({
    command: process.execPath,
    args: [program, ...args, workspace.root],
    env: { LD_PRELOAD: library, FAULT_CONTROL: control, FAULT_DIRECTORY: directory },
  });
  const client = await Client.connect(server.channel);
  return {
    /** Calls a tool without a fault. */
    plain: async (tool: string, args: Record<string, unknown>) =>
      (await workspace.say(client, tool, args)).join('\n'),
    /** Calls a tool with a fault; returns its answer, and whether the fault occurred. */
    async say(fault: Fault, tool: string, args: Record<string, unknown>) {
      set(calls.indexOf(fault.call) + 1, fault.after, fault.error, Number(fault.isLasting), 0);
      const said = (await workspace.say(client, tool, args)).join('\n');
      const state = new Int32Array(5);
      readSync(fd, state, 0, 20, 0);
      set(0, 0, 0, 0, 0);
      return { said, occurred: state[4]! > 0 };
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await server.stop();
    },
  };
}

/** Every fault of the first calls of each function. */
export function* faults(errors: readonly number[], depth: number): Generator<Fault> {
  for (const call of calls)
    for (let after = 0; after < depth; after++)
      for (const error of errors)
        for (const isLasting of call === 'unlink' ? [false] : [false, true])
          yield { call, after, error, isLasting };
}
