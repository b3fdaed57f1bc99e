import type { Stop } from './stop.ts';

/**
 * The maximum number of watches of the operating system, and what is needed to warn when a directory is
 * polled instead.
 */
export interface WatchSlotsOptions {
  maxDirectories: number;
  /** The polling interval in milliseconds, for the text of warnings. */
  pollMs: number;
  warn: (message: string) => void;
}

/**
 * Limits the number of watches of the operating system. Warns, once for each reason, when a directory is
 * polled instead.
 */
export class WatchSlots {
  readonly #options: WatchSlotsOptions;
  readonly #warned = new Set<string>();
  #taken = 0;

  constructor(options: WatchSlotsOptions) {
    this.#options = options;
  }

  /**
   * Takes one of the limited watches, and returns the function that releases it; undefined if all are taken.
   */
  take(path: string): Stop | undefined {
    const { maxDirectories } = this.#options;
    if (this.#taken >= maxDirectories) {
      this.#warnOnce('limit', `More than ${maxDirectories} directories to watch: ${this.#polling(path)}`);
      return;
    }
    this.#taken++;
    return () => void this.#taken--;
  }

  /** Warns that the system refused to watch a directory. */
  warnOfRefusal(path: string, { code, message }: NodeJS.ErrnoException): void {
    // The directory was removed a moment ago, which the watch of its parent reports, so no warning is needed.
    if (code === 'ENOENT' || code === 'ENOTDIR') return;
    const exhausted = code === 'ENOSPC' || code === 'EMFILE' || code === 'ENFILE';
    const problem = exhausted ? 'The system has no file watches left' : 'The system cannot watch a directory';
    this.#warnOnce(
      exhausted ? 'exhausted' : (code ?? message),
      `${problem} (${code ?? message}): ${this.#polling(path)}`,
    );
  }

  #warnOnce(reason: string, message: string) {
    if (this.#warned.has(reason)) return;
    this.#warned.add(reason);
    this.#options.warn(message);
  }

  #polling(path: string) {
    return `polling every ${this.#options.pollMs} ms, beginning with "${path}"`;
  }
}
