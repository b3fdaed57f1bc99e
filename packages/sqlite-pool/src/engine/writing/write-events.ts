/** Is told how far a writing operation has come. */
export interface WriteEvents {
  /**
   * Called before a commit. If the process is killed after this, it is unknown whether the commit succeeded.
   */
  readonly committing: () => void;
  readonly progress: (progress: ImportProgress) => void;
}

/** The progress of an import: the rows of the current pass through the file, and the bytes of both passes. */
export interface ImportProgress {
  readonly rows: number;
  readonly done: number;
  readonly total: number;
}
