/** Reads the records of a file in one format. */
export interface Records {
  /** The format in words; complete when `read` has begun. */
  readonly description: string;
  /** The names of all fields so far; complete when `read` has ended once. */
  readonly columns: readonly string[];
  /**
   * Yields the fields of each record, in the order of `columns`: texts of CSV, values of JSON, and null for a
   * missing field. Missing fields at the end are left out.
   */
  read(chunks: Iterable<string>): Iterable<readonly unknown[]>;
}
