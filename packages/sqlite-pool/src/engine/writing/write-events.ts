/** Receives how far a writing operation came. */
export interface WriteEvents {
  /** Called before a commit: if the process is killed after this, the outcome is unknown. */
  readonly committing: () => void;
  readonly progress: (progress: ImportProgress) => void;
}

/** The progress of an import: rows of the current pass, and bytes of both passes through the file. */
export interface ImportProgress {
  readonly rows: number;
  readonly done: number;
  readonly total: number;
}
