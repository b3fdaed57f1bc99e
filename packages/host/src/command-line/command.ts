import type { TokenStore } from '@mcp/authorization';
import type { Observer } from '@mcp/protocol';
import type { Configuration, LoadOptions } from '../config/load-configuration.ts';
import type { LogFeed } from '../servers/log-feed.ts';
import type { Servers } from '../servers/servers.ts';
import type { WireFeed } from '../servers/wire-feed.ts';
import type { StateDirectories } from '../state-directories.ts';
import type { Output } from '../terminal/output.ts';
import type { Interrupts } from './interrupts.ts';

/** An option of a command, for `--help`, the parser and the completion. */
export interface OptionSpec {
  readonly name: string;
  /** The short form of the option: a letter behind a single hyphen. */
  readonly short?: string;
  /** The name of the option's value in `--help`, such as `file`; undefined for a flag. */
  readonly value?: string;
  readonly help: string;
  /** The only values that the option takes; undefined if it takes others, too. */
  readonly choices?: readonly string[];
}

/**
 * What a word of a command line stands for, so that it can be completed. An array contains all words that are
 * possible.
 */
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

export interface CommandInput {
  readonly version: string;
  /** Whether the command line names no command, as `mcp` alone does. */
  readonly isBare?: boolean;
  readonly positionals: readonly string[];
  readonly options: OptionValues;
  readonly configuration: Configuration;
  /**
   * The options that loaded the configuration; undefined if the command line names a server by its URL or
   * command.
   */
  readonly load: LoadOptions | undefined;
  readonly servers: Servers;
  /** Writes telemetry of each request; undefined without `--otel`. */
  readonly observe?: Observer | undefined;
  readonly store: TokenStore;
  readonly directories: StateDirectories;
  readonly logs: LogFeed;
  /** Each message to and from the servers, for `mcp inspect` alone. */
  readonly wire: WireFeed;
  readonly output: Output;
  /** Opens the standard input, which takes milliseconds. */
  readonly stdin: () => NodeJS.ReadableStream;
  /** Whether the servers stay open after the command, as in `mcp shell`. */
  readonly staysOpen?: boolean;
  /** All commands, for a command that completes or runs others. */
  readonly commands: readonly Command[];
  /** Aborts on Ctrl-C, unless a part of the command's work takes the Ctrl-C (see `interrupts`). */
  readonly signal: AbortSignal;
  /** Lets a part of a command's work take the next Ctrl-C, so that only this part ends, not the command. */
  readonly interrupts: Interrupts;
}

export interface Command {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** The words after the name in `--help`, such as `<server.tool> [key=value…]`. */
  readonly usage: string;
  readonly help: string;
  /** Command lines without the word `mcp`, for the help. */
  readonly examples?: readonly string[];
  /** The kinds of the words after the name; the last kind repeats. */
  readonly words?: readonly WordKind[];
  readonly options?: readonly OptionSpec[];
  /** Whether the first word is the name of a new server, whose URL or command follows. */
  readonly namesNewServer?: boolean;
  /** Returns the exit code. */
  run(input: CommandInput): Promise<number>;
}

/** The last value of an option; undefined for a flag, and for an option that was not given. */
export function valueOf(options: OptionValues, name: string): string | undefined {
  const value = options[name];
  return value === true ? undefined : value?.at(-1);
}
