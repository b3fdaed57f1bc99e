/** A value in a file: text of CSV, a parsed value of JSON, or null for a missing one. */
export type FileValue = unknown;

/** The records of a file of one format. */
export interface Records {
  /** The format in words, known once `read` has begun. */
  readonly description: string;
  /** The names of all fields so far; complete when `read` has ended once. */
  readonly columns: readonly string[];
  /** Yields the fields of each record, in the order of `columns`; missing ones at the end are left out. */
  read(chunks: Iterable<string>): Iterable<readonly FileValue[]>;
}
