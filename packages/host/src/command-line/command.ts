import type { AuthorizationStore } from '@mcp/protocol/authorization';
import type { Configuration } from '../config/load.ts';
import type { Servers } from '../servers/servers.ts';
import type { Output } from '../terminal/output.ts';

/** An option of a command, as `--help`, the parser and the completion know it. */
export interface OptionSpec {
  readonly name: string;
  /** What the option takes; a flag takes nothing. */
  readonly value?: string;
  readonly help: string;
  /** May be given more than once. */
  readonly multiple?: boolean;
}

/** Options as they were given: lists of values, and flags as `true`. */
export type OptionValues = Readonly<Record<string, readonly string[] | true | undefined>>;

/** What a command runs with. */
export interface CommandInput {
  readonly positionals: readonly string[];
  readonly options: OptionValues;
  readonly configuration: Configuration;
  readonly servers: Servers;
  /** Where tokens are kept. */
  readonly store: AuthorizationStore;
  readonly output: Output;
  readonly stdin: NodeJS.ReadableStream;
  /** All commands, for those that complete or run others. */
  readonly commands: readonly Command[];
  /** Fires on Ctrl-C. */
  readonly signal: AbortSignal;
}

/** One command of `mcp`. */
export interface Command {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** What follows the name: `<server.tool> [key=value…]`. */
  readonly usage: string;
  readonly help: string;
  readonly options?: readonly OptionSpec[];
  /** Returns the exit code. */
  run(input: CommandInput): Promise<number>;
}

/** The value of an option that takes one. */
export function valueOf(options: OptionValues, name: string): string | undefined {
  const value = options[name];
  return value === true ? undefined : value?.at(-1);
}
