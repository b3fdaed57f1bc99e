import type { Environments } from '../process/environment.ts';
import type { GitExecutable } from '../process/git-executable.ts';
import type { AllowedDirectories } from '../access/allowed-directories.ts';

export interface Timeouts {
  readonly readMs: number;
  readonly writeMs: number;
  readonly cloneMs: number;
}

/** The state that all repositories of a server share. */
export interface GitContext {
  readonly program: GitExecutable;
  readonly allowed: AllowedDirectories;
  readonly environments: Environments;
  /** Whether hooks, filters, signing and helpers of repositories run, as in git itself. */
  readonly trust: boolean;
  readonly allowRemote: boolean;
  /** Whether commits and annotated tags are signed with the key of the operator. */
  readonly sign: boolean;
  readonly readOnly: boolean;
  /** Runs writes to the same repository one after the other. The key is the repository's common directory. */
  readonly writeQueue: {
    run<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  };
  readonly timeouts: Timeouts;
}
