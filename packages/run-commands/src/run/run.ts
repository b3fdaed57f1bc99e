import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Ended } from '../process/run-process.ts';
import type { KeptOutput } from '../output/kept-output.ts';

/** One run of a command, ended or not. */
export interface Run {
  /** Counted from 1 in this process. */
  readonly id: number;
  readonly command: string;
  /** The program and its arguments, without those of the sandbox. */
  readonly argv: readonly string[];
  readonly startedAt: Date;
  readonly output: KeptOutput;
  /** Undefined while it runs. */
  readonly ended: (Ended & { readonly durationMs: number }) | undefined;
  readonly timeoutMs: number;
  readonly failures: RegExp;
  readonly sandbox: Sandbox['name'] | undefined;
  /** Why it ran without a sandbox, although one is preferred. */
  readonly unsandboxed: string | undefined;
}
