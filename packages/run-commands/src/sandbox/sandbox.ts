/** What a sandboxed command may do. The rest of the file system is read-only. */
export interface Confinement {
  /** The directories that the command may write. */
  readonly writable: readonly string[];
  readonly network: boolean;
  readonly cwd: string;
}

export interface Sandbox {
  readonly name: 'bubblewrap' | 'unshare';
  /** Returns the command line that runs `argv` in the sandbox. */
  wrap(argv: readonly string[], confinement: Confinement): string[];
}
