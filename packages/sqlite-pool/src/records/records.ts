/** Reads the records of a file in one format. */
export interface Records {
  /**
   * The name of the format, for messages. It can contain the delimiter of the file, which is not known before
   * `read` has begun.
   */
  readonly description: string;
  /** The names of all fields found so far. They are complete once `read` has ended. */
  readonly columns: readonly string[];
  /**
   * Yields each record's fields, in the order of `columns`. Missing ones are null, or left out at the end.
   */
  read(chunks: Iterable<string>): Iterable<readonly unknown[]>;
}
