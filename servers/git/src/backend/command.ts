/** What a git process left behind. */
export interface Output {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** There was more than was taken. */
  readonly cut: boolean;
}

/** Takes a command's output as it comes. */
export interface Reader<Result> {
  /** Says false once it has enough: git is then stopped. */
  take(chunk: Buffer): boolean;
  result(output: Output): Result;
}

/** A git command as data: what to run, and what its output means. */
export interface Command<Result> {
  readonly args: readonly string[];
  /** What it does to the repository: reading runs side by side, writing queues, and remotes need their switch. */
  readonly kind?: 'read' | 'write' | 'remote';
  readonly input?: string | Buffer;
  /** False where git hands patterns of its own to git; no path of a caller may be among `args` then. */
  readonly literalPaths?: false;
  /** Exit codes that are answers, beside 0. */
  readonly accept?: readonly number[];
  /** Words for what git refuses, by what its message says. */
  readonly refusals?: readonly Refusal[];
  /** Bytes of output that are kept. */
  readonly maxBytes?: number;
  readonly parse?: (output: Output) => Result;
  /** Instead of `parse`, for output that is not to be held in memory. */
  readonly reader?: () => Reader<Result> | Promise<Reader<Result>>;
}

/** What git says, and what that means to the caller. */
export type Refusal = readonly [said: RegExp, meaning: string | ((match: RegExpExecArray) => string)];

/** Nothing to tell. */
export function nothing(): void {}
