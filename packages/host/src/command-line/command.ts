import type { AuthorizationStore } from '@mcp/protocol/authorization';
import type { Configuration, LoadOptions } from '../config/load.ts';
import type { LogFeed } from '../servers/log-feed.ts';
import type { Servers } from '../servers/servers.ts';
import type { StateDirectories } from '../state-directories.ts';
import type { Output } from '../terminal/output.ts';
import type { Interrupts } from './interrupts.ts';

/** An option of a command, as `--help`, the parser and the completion know it. */
export interface OptionSpec {
  readonly name: string;
  /** A letter for it, behind a single hyphen. */
  readonly short?: string;
  /** The name of the value in `--help`, such as `file`; a flag has none. */
  readonly value?: string;
  readonly help: string;
  /** May be given more than once. */
  readonly multiple?: boolean;
  /** The values it takes, where they are known. */
  readonly choices?: readonly string[];
}

/** The kind of a word of a command, for the completion; a list has the possible words themselves. */
export type WordKind =
  | 'server'
  | 'tool'
  | 'tool argument'
  | 'prompt'
  | 'prompt argument'
  | 'resource'
  | 'server or resource'
  | 'prompt or template'
  | 'any'
  | readonly string[];

/** Options as they were given: lists of values, and flags as `true`. */
export type OptionValues = Readonly<Record<string, readonly string[] | true | undefined>>;

/** The input of a command. */
export interface CommandInput {
  /** The version of `mcp`. */
  readonly version: string;
  readonly positionals: readonly string[];
  readonly options: OptionValues;
  readonly configuration: Configuration;
  /** The source of the configuration; undefined where the command line names the server. */
  readonly load: LoadOptions | undefined;
  readonly servers: Servers;
  /** Where tokens are kept. */
  readonly store: AuthorizationStore;
  /** Where caches and state are kept. */
  readonly directories: StateDirectories;
  readonly logs: LogFeed;
  readonly output: Output;
  readonly stdin: NodeJS.ReadableStream;
  /** Whether the servers stay open after the command, as in the shell. */
  readonly staysOpen?: boolean;
  /** All commands, for those that complete or run others. */
  readonly commands: readonly Command[];
  /** Fires on Ctrl-C. */
  readonly signal: AbortSignal;
  /** Reports Ctrl-C to a command that continues after it. */
  readonly interrupts: Interrupts;
}

/** One command of `mcp`. */
export interface Command {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** The words after the name: `<server.tool> [key=value…]`. */
  readonly usage: string;
  readonly help: string;
  /** The kinds of the words after the name; the last kind repeats. */
  readonly words?: readonly WordKind[];
  readonly options?: readonly OptionSpec[];
  /** Returns the exit code. */
  run(input: CommandInput): Promise<number>;
}

/** The value of an option that takes one. */
export function valueOf(options: OptionValues, name: string): string | undefined {
  const value = options[name];
  return value === true ? undefined : value?.at(-1);
}
