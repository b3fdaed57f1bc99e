/** Reads the records of a file in one format. */
export interface Records {
  /** The name of the format, for messages. It is complete once `read` has begun. */
  readonly description: string;
  /** The names of all fields found so far. They are complete once `read` has ended. */
  readonly columns: readonly string[];
  /**
   * Yields the fields of each record in the order of `columns`: the texts of CSV or the values of JSON. A
   * missing field is null; missing fields at the end are left out.
   */
  read(chunks: Iterable<string>): Iterable<readonly unknown[]>;
}
