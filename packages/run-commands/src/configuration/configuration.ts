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
 * What happens if no sandbox works: with `required`, commands are refused; with `preferred`, they run
 * without, and the result says so. `off` uses no sandbox.
 */
export type SandboxMode = (typeof sandboxModes)[number];
export const sandboxModes = ['required', 'preferred', 'off'] as const;

/** One command of the configuration. */
export interface Command {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
  readonly program: Program;
  /** The template of the program's arguments. */
  readonly argv: readonly Piece[];
  /** The arguments that a caller passes, keyed by name. */
  readonly arguments: { readonly [name: string]: ArgumentSchema };
  readonly required: readonly string[];
  /** The absolute path of the working directory. */
  readonly cwd: string;
  /**
   * The environment variables of the program. `true` takes the value from the environment of this process.
   */
  readonly env: { readonly [name: string]: string | true };
  readonly network: boolean;
  readonly timeoutMs: number;
  /** Matches the lines of the output that report a failure. */
  readonly failures: RegExp;
  /**
   * Further files, besides the program. If one changes, the command is refused until the operator allows it.
   */
  readonly pinned: readonly string[];
  readonly readOnly: boolean;
}

/**
 * What a command starts: a program, by its path or name, or a script of the `package.json` in its directory.
 */
export type Program = { readonly path: string } | { readonly script: string };
