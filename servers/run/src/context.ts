import type { CommandRunner } from '@mcp/run-commands';

export interface RunContext {
  readonly runner: CommandRunner;
}
