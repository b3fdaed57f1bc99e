import type { AllowedDirectories } from '../access/allowed-directories.ts';
import type { KeyedQueue } from '../keyed-queue.ts';

/** What every change of a file needs. */
export interface WriteContext {
  readonly allowed: AllowedDirectories;
  /** Serialises the changes of one path. */
  readonly queue: KeyedQueue;
}
