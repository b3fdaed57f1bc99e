import type { ProgramName } from './programs.ts';

/** A job of a user of five servers: how each program does it, and what must have come out. */
export interface Job {
  readonly title: string;
  /** The commands of each program, in a shell; or why it has none. */
  readonly commands: Readonly<Record<ProgramName, readonly string[] | string>>;
  /** A command that is run once when the last command has printed something like `after`. */
  readonly meanwhile?: { readonly after: RegExp; readonly command: string };
  /** What is typed into a terminal, in which the last command then runs. */
  readonly typed?: string;
  /** Throws with what is wrong if the job is not done. */
  readonly check: (performed: Performed) => void;
}

export interface Performed {
  /** What all commands have printed, on stdout and stderr. */
  readonly printed: string;
  /** What the last command has printed on stdout. */
  readonly stdout: string;
  /** The exit code of the last command. */
  readonly code: number;
  /** The messages that the server `everything` has received, as lines of JSON. */
  readonly received: string;
  /** The directory in which the commands ran. */
  readonly project: string;
}
