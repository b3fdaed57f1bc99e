import type { CommandRunner } from '@mcp/run-commands';

/** The context of all handlers. */
export interface RunContext {
  readonly runner: CommandRunner;
}
