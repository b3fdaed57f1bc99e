import type { ArgumentSchema } from '../arguments/argument-schema.ts';
import type { Piece } from '../arguments/argv-template.ts';
import type { WritableDirectories } from '../access/writable-directories.ts';

/** What the operator permits, as read from the configuration file. */
export interface Configuration {
  /** The absolute path of the file. */
  readonly file: string;
  /** The directories that the agent, and sandboxed commands, may write. */
  readonly writable: WritableDirectories;
  readonly sandbox: SandboxMode;
  /** How many commands may run at the same time. Further commands wait. */
  readonly maxRunning: number;
  readonly commands: ReadonlyMap<string, Command>;
}

/**
 * If no sandbox works, `required` refuses commands, and `preferred` runs them without one and says so in the
 * result. `off` never uses a sandbox.
 */
export type SandboxMode = (typeof sandboxModes)[number];
export const sandboxModes = ['required', 'preferred', 'off'] as const;

export interface Command {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
  readonly program: Program;
  readonly argv: readonly Piece[];
  /** The arguments that a caller passes, keyed by name. */
  readonly arguments: { readonly [name: string]: ArgumentSchema };
  readonly required: readonly string[];
  /** The absolute path of the working directory. */
  readonly cwd: string;
  /** The program's environment variables; `true` takes a value from this process's environment. */
  readonly env: { readonly [name: string]: string | true };
  readonly network: boolean;
  readonly timeoutMs: number;
  /** Matches the lines of the output that report a failure. */
  readonly failures: RegExp;
  /**
   * Files that the operator allows together with the program. If one changes, the operator must allow the
   * command again.
   */
  readonly pinned: readonly string[];
  readonly readOnly: boolean;
}

/** A program, by its path or name, or a script of the `package.json` in the command's working directory. */
export type Program = { readonly path: string } | { readonly script: string };
