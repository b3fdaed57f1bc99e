import { type Call, type ResourceCall, ResourceNotFound } from '@mcp/protocol';
import type { Run } from '@mcp/run-commands';
import type { RunContext } from '../context.ts';

type Variables = { readonly command: string };

/**
 * Returns the last run of a command; undefined if the command has not run. Throws `ResourceNotFound` for an
 * unknown command.
 */
export function lastRun({ command }: Variables, call: ResourceCall<RunContext>): Run | undefined {
  const { runner } = call.context;
  try {
    return runner.last(runner.command(command).name);
  } catch (error) {
    throw new ResourceNotFound(call.uri, error instanceof Error ? error.message : undefined, {
      cause: error,
    });
  }
}

/** What all resources of commands have in common: subscribers hear of a change when the command ends. */
export const ofCommands = {
  watch({ command }: Variables, changed: () => void, { context: { runner } }: Call<RunContext>) {
    return runner.watch(command, changed);
  },
  complete: { command: completeCommand },
};

/** The commands whose names begin with a text. */
export function completeCommand(typed: string, { context: { runner } }: Call<RunContext>): string[] {
  return commandNames(runner.configuration).filter((each) => each.startsWith(typed));
}

export function commandNames({ commands }: { readonly commands: ReadonlyMap<string, unknown> }): string[] {
  return [...commands.keys()];
}
