import type { ArgumentSchema } from '../arguments/argument-schema.ts';
import type { Piece } from '../arguments/argv-template.ts';
import type { WritableDirectories } from '../access/writable-directories.ts';

/** What the operator allows, as read from the configuration file. */
export interface Configuration {
  /** The absolute path of the file. */
  readonly file: string;
  /** The directories that the agent, and sandboxed commands, may write. */
  readonly writable: WritableDirectories;
  readonly sandbox: SandboxMode;
  /** How many commands may run at the same time; others wait. */
  readonly maxRunning: number;
  readonly commands: ReadonlyMap<string, Command>;
}

/** Whether a command is refused (`required`), or runs and says so (`preferred`), where no sandbox works. */
export type SandboxMode = (typeof sandboxModes)[number];
export const sandboxModes = ['required', 'preferred', 'off'] as const;

/** One command of the configuration. */
export interface Command {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
  readonly program: Program;
  /** The arguments of the program. */
  readonly argv: readonly Piece[];
  /** The arguments of a caller, by name. */
  readonly arguments: { readonly [name: string]: ArgumentSchema };
  readonly required: readonly string[];
  /** The absolute path of the working directory. */
  readonly cwd: string;
  /** The values of variables, or true for the value in the environment of this process. */
  readonly env: { readonly [name: string]: string | true };
  readonly network: boolean;
  readonly timeoutMs: number;
  /** Matches the lines that tell of a failure. */
  readonly failures: RegExp;
  /** Files whose change is refused until the operator allows it, besides the program. */
  readonly pinned: readonly string[];
  readonly readOnly: boolean;
}

/**
 * What a command starts: a program by its path or name, or a script of the `package.json` in its directory.
 */
export type Program = { readonly path: string } | { readonly script: string };
