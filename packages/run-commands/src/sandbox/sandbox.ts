/** What a sandboxed command may do; everything else of the file system is read-only. */
export interface Confinement {
  /** The directories that the command may write. */
  readonly writable: readonly string[];
  readonly network: boolean;
  readonly cwd: string;
}

/** A program of the system that runs another one in a sandbox. */
export interface Sandbox {
  readonly name: 'bubblewrap' | 'unshare';
  /** The command that runs `argv` confined. */
  wrap(argv: readonly string[], confinement: Confinement): string[];
}
