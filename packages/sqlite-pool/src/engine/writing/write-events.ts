/** Receives how far a writing operation came. */
export interface WriteEvents {
  /**
   * Called before a transaction is committed: if the process is killed after this, the outcome is unknown.
   */
  readonly committing: () => void;
  readonly progress: (progress: ImportProgress) => void;
}

/**
 * The progress of an import: the rows that the current pass has read, and, in bytes, how much of the work is
 * done; the file is read twice.
 */
export interface ImportProgress {
  readonly rows: number;
  readonly done: number;
  readonly total: number;
}
