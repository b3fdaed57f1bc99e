export interface Document {
  readonly root: unknown;
  /**
   * The line of a key, from 1. If the file lacks the key, the line of the innermost existing key around it.
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
