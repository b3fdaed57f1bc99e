import { fileURLToPath } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { type Fault, Faults } from '@mcp/test-kit';
import type { Workspace } from './workspace.ts';

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));

/**
 * The built server with a library that lets calls of the operating system fail for paths in a directory.
 * Undefined without a C compiler.
 */
export async function startFaulty(
  workspace: Workspace,
  { args = [], directory = workspace.root }: { args?: readonly string[]; directory?: string } = {},
) {
  const faults = Faults.compile(workspace.base, directory);
  if (!faults) return undefined;
  const server = spawnServer({
    command: process.execPath,
    args: [program, ...args, workspace.root],
    env: faults.env,
  });
  const client = await Client.connect(server.channel);
  /** Calls a tool without a fault. */
  const plain = async (tool: string, args: Record<string, unknown>) =>
    (await workspace.say(client, tool, args)).join('\n');
  return {
    plain,
    /** Calls a tool with a fault; returns its answer, and whether the fault occurred. */
    async say(fault: Fault, tool: string, args: Record<string, unknown>) {
      const { result: said, occurred } = await faults.during(fault, () => plain(tool, args));
      return { said, occurred };
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await server.stop();
      faults[Symbol.dispose]();
    },
  };
}
