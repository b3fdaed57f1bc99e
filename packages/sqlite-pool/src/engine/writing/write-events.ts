export interface WriteEvents {
  /** Called before a commit. If the process is killed after this, the outcome is unknown. */
  readonly committing: () => void;
  readonly progress: (progress: ImportProgress) => void;
}

/** The progress of an import: the rows of the current pass through the file, and the bytes of both passes. */
export interface ImportProgress {
  readonly rows: number;
  readonly done: number;
  readonly total: number;
}
