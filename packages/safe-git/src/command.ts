import type { Missing } from './missing.ts';

/** The output and the exit code of a git process. */
export interface CommandOutput {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** Whether git was stopped because no more of its output was needed or kept; `code` is 0 then. */
  readonly truncated: boolean;
}

/** Reads a command's stdout as it arrives, without holding all of it in memory. */
export interface OutputReader<Result> {
  /** Returns false if it needs no more output; git is then stopped. */
  push(chunk: Buffer): boolean;
  result(output: CommandOutput): Result;
}

/** A git command as data: its arguments, and how to read its output. */
export interface Command<Result> {
  readonly args: readonly string[];
  /**
   * Reads run concurrently; writes take the repository's lock; `remote` also connects to a remote. Defaults
   * to `read`.
   */
  readonly kind?: 'read' | 'write' | 'remote';
  readonly input?: string | Buffer | undefined;
  /**
   * False if git itself passes patterns to other git commands, as `git stash` does; `args` must then contain
   * no path from a client.
   */
  readonly literalPaths?: false;
  /** The path of the index that git uses instead of that of the repository. */
  readonly index?: string;
  /** Exit codes that are not errors, besides 0. */
  readonly accept?: readonly number[];
  /** The errors to throw when git refuses, each for a pattern of git's output. */
  readonly refusals?: readonly Refusal[];
  /** Bytes of stdout to keep. Defaults to 16 MiB. */
  readonly maxBytes?: number;
  /** Converts the output to the result. Without `parse` and `reader`, the command has no result. */
  readonly parse?: (output: CommandOutput) => Result;
  /** Creates the reader that replaces `parse`, for output that is too large to hold in memory. */
  readonly reader?: () => OutputReader<Result> | Promise<OutputReader<Result>>;
}

/** A pattern in git's output, and the error message or the missing object that it stands for. */
export type Refusal = readonly [
  printed: RegExp,
  message: string | Missing | ((match: RegExpExecArray) => string | Missing),
];
