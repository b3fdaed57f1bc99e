import type { KeyedQueue } from '../keyed-queue.ts';
import type { Environments } from '../process/environment.ts';
import type { GitExecutable } from '../process/git-executable.ts';
import type { AllowedDirectories } from './allowed-directories.ts';

/** How long git may run before it is stopped. */
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
  /** Hooks, filters, signing and helpers that a repository configures are run, as git does. */
  readonly trust: boolean;
  readonly allowRemote: boolean;
  readonly readOnly: boolean;
  /** The lock of each repository, by its common directory. */
  readonly writeQueue: KeyedQueue;
  readonly timeouts: Timeouts;
}
