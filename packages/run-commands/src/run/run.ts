import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Ended } from '../process/run-process.ts';
import type { KeptOutput } from '../output/kept-output.ts';

/** One run of a command, which may still be running. */
export interface Run {
  /** The number of the run, from 1, in this process. */
  readonly id: number;
  readonly command: string;
  /** The program and its arguments, without those that start the sandbox. */
  readonly argv: readonly string[];
  readonly startedAt: Date;
  readonly output: KeptOutput;
  /** How the run ended; undefined while it runs. */
  readonly ended: (Ended & { readonly durationMs: number }) | undefined;
  readonly timeoutMs: number;
  readonly failures: RegExp;
  readonly sandbox: Sandbox['name'] | undefined;
  /** Why the command ran without a sandbox, although the configuration prefers one; otherwise undefined. */
  readonly unsandboxed: string | undefined;
}
