import { defineServer } from '@mcp/protocol';
import type { SharedStore } from '@mcp/protocol/state';
import { createTasks } from '@mcp/protocol/tasks';
import { type Configuration, readConfiguration } from '@mcp/run-commands';
import manifest from '../package.json' with { type: 'json' };
import type { RunContext } from './context.ts';
import { resources } from './resources.ts';

export interface RunServerOptions {
  readonly file: string;
  /** Whether answers have structured content, with its schemas in the list of tools. */
  readonly structured?: boolean;
  /**
   * The command line with which the operator allows a command, without the command's name, which follows it.
   */
  readonly allowCommand: string;
  /** What other processes have of the tasks. Default: the tasks are in the memory of this process. */
  readonly shared?: SharedStore | undefined;
}

/** The definition of the server. Throws if the configuration has faults, or if the agent could change it. */
export function run({ file, structured = false, allowCommand, shared }: RunServerOptions) {
  const configuration = readConfiguration(file);
  return defineServer({
    name: manifest.name,
    version: manifest.version,
    title: 'Run',
    instructions: instructionsFor(configuration),
    // Imported after the handshake, because nothing needs this module before.
    context: async (): Promise<RunContext> => {
      const { CommandRunner } = await import('@mcp/run-commands');
      return { runner: new CommandRunner(configuration, { allowCommand }) };
    },
    tools: async () => (await import('./tools.ts')).toolsFor(configuration, structured),
    prompts: async () => (await import('./prompts.ts')).prompts,
    resources,
    tasks: createTasks(shared ? { shared } : {}),
  });
}

function instructionsFor({ commands, sandbox, writable }: Configuration): string {
  const directories = [...new Set([...commands.values()].map(({ cwd }) => cwd))];
  const place =
    directories.length === 1
      ? `Commands run in ${directories[0]}; paths are relative to it.`
      : `Commands run in these directories, to which paths are relative: ${[...commands.values()].map(({ name, cwd }) => `${name} in ${cwd}`).join(', ')}.`;
  const walls =
    sandbox === 'off'
      ? 'They are not sandboxed.'
      : `They run in a sandbox and write only to ${writable.paths.join(', ') || 'temporary files'}.${sandbox === 'preferred' ? ' If a command ran without the sandbox, its answer says so.' : ''}`;
  return [
    'Each tool but read_output is a command that the operator allowed; there is no shell and no stdin.',
    place,
    walls,
    'An answer has the exit code, then failures and the last lines, as numbered lines of stdout and stderr; read_output reads all of them, or those that contain a text.',
    'A script that was changed is refused until the operator allows it: tell him.',
  ].join(' ');
}
