import type { Missing } from './missing.ts';

export interface CommandOutput {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** Whether git was stopped early, because no more of its output was needed or kept; `code` is then 0. */
  readonly truncated: boolean;
}

/** Reads a command's stdout chunk by chunk, so that it need not fit into memory. */
export interface OutputReader<Result> {
  /** Takes a chunk. Returns false if the reader needs no more output, so that git is stopped. */
  push(chunk: Buffer): boolean;
  result(output: CommandOutput): Result;
}

/** An author as git takes it: the date is `@`, the seconds since 1970, and the zone. */
export interface Author {
  readonly name: string;
  readonly email: string;
  readonly date: string;
}

/** A git command as data: its arguments, and how to read its output. */
export interface Command<Result> {
  readonly args: readonly string[];
  /**
   * A `read` (default) runs concurrently; a `write` takes the lock of the repository; a `remote` is a write
   * that connects to a remote.
   */
  readonly kind?: 'read' | 'write' | 'remote';
  readonly input?: string | Buffer | undefined;
  /**
   * False for commands such as `git stash`, which pass patterns to other git commands. Because paths are then
   * read as patterns, `args` must contain no path from a client.
   */
  readonly literalPaths?: false;
  /** The path of an index file that git uses instead of the repository's index. */
  readonly index?: string;
  /** The author of the commit that the command writes. */
  readonly author?: Author;
  /** Exit codes that are not errors, in addition to 0. */
  readonly accept?: readonly number[];
  /** The errors to throw when git refuses. Each has a pattern that is matched against git's output. */
  readonly refusals?: readonly Refusal[];
  /** Bytes of stdout to keep; git is stopped when it prints more. Defaults to 16 MiB. */
  readonly maxBytes?: number;
  /** Converts the output to the result. Without `parse` and `reader`, the command has no result. */
  readonly parse?: (output: CommandOutput) => Result;
  /** Creates the reader that replaces `parse`, for output that is too large to hold in memory. */
  readonly reader?: () => OutputReader<Result> | Promise<OutputReader<Result>>;
}

/** A pattern for git's output, and what is thrown if it matches: an error message, or a missing object. */
export type Refusal = readonly [
  printed: RegExp,
  message: string | Missing | ((match: RegExpExecArray) => string | Missing),
];
