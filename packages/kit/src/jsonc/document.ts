/** A parsed configuration file that knows the lines of its keys. */
export interface Document {
  readonly root: unknown;
  /**
   * The line of a key, counted from 1. If the file does not have the key, the line of the innermost key
   * around it that the file has.
   */
  lineOf(path: readonly (string | number)[]): number;
}

/** A mistake in the syntax of a file. */
export interface SyntaxMistake {
  readonly message: string;
  /** The line and the column, both counted from 1. */
  readonly line: number;
  readonly column: number;
}
