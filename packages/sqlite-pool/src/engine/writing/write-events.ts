/** Receives how far a writing operation came. */
export interface WriteEvents {
  /**
   * Called before a transaction is committed: if the process is killed after that, its outcome is unknown.
   */
  readonly committing: () => void;
  readonly progress: (progress: ImportProgress) => void;
}

/** How much of a file was imported: rows, and bytes of the work in all. */
export interface ImportProgress {
  readonly rows: number;
  readonly done: number;
  readonly total: number;
}
