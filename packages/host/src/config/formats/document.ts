/** A parsed file that knows the lines of its keys. */
export interface Document {
  readonly root: unknown;
  /** The line of a key, from 1, or of the nearest key around it. */
  lineOf(path: readonly string[]): number;
}

/** A mistake in the syntax of a file. */
export interface SyntaxMistake {
  readonly message: string;
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}
