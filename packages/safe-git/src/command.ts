import type { Missing } from './missing.ts';

/** The output and the exit code of a git process. */
export interface CommandOutput {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** Whether git was stopped because its output was too long; `code` is 0 then. */
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
  readonly input?: string | Buffer;
  /** False if git passes patterns to itself; `args` must hold no path from a client then. */
  readonly literalPaths?: false;
  /** Exit codes that are not errors, besides 0. */
  readonly accept?: readonly number[];
  /** Error messages for the refusals of git. */
  readonly refusals?: readonly Refusal[];
  /** Bytes of stdout to keep. Defaults to 16 MiB. */
  readonly maxBytes?: number;
  readonly parse?: (output: CommandOutput) => Result;
  /** Instead of `parse`, for output that is too large to hold. */
  readonly reader?: () => OutputReader<Result> | Promise<OutputReader<Result>>;
}

/** A pattern in git's output, and the error message for it, or the missing object. */
export type Refusal = readonly [
  printed: RegExp,
  message: string | Missing | ((match: RegExpExecArray) => string | Missing),
];

/** For commands whose output has no result. */
export function noResult(): void {}
