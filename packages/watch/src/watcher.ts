import { Folders } from './directory-registry.ts';
import { identityOf, type Identity } from './identity.ts';
import { Watch } from './watch.ts';
import type { Settling } from './debounce.ts';
import type { Stop } from './stop.ts';

/** How a watcher works; the defaults suit a server. */
export interface WatcherOptions {
  /** How long a path must be quiet before it is looked at. */
  settleMs?: number | undefined;
  /** How long a path that is never quiet waits for a look. */
  maxWaitMs?: number | undefined;
  /** How many directories may have a watch of the system; those beyond are polled. */
  maxDirectories?: number | undefined;
  /** How often a directory is looked at that has no watch of the system. */
  pollMs?: number | undefined;
  /** Whether all directories are polled, as network file systems need. */
  poll?: boolean | undefined;
  /** Whether directories above the watched ones are polled; by default on macOS, whose watches are recursive. */
  pollParents?: boolean | undefined;
  /** Told when polling begins, once for each reason, and when a `changed` fails. */
  warn?: ((message: string) => void) | undefined;
}

/** How one path is watched. */
export interface WatchOptions {
  /** What to compare instead of metadata, when a change of the file is not always a change of what it means. */
  identity?: Identity | undefined;
}

/**
 * Calls you when a path changes, for as many paths as you like. It watches directories, not files, so nothing
 * is lost when a file is replaced, deleted or yet to come.
 */
export class Watcher {
  readonly #folders: Folders;
  readonly #settling: Settling;
  readonly #warn: (message: string) => void;
  readonly #watches = new Set<Watch>();
  #closed = false;

  constructor(options: WatcherOptions = {}) {
    const { settleMs = 30, maxWaitMs = 500, maxDirectories = 1024, pollMs = 1000 } = options;
    const { poll = false, pollParents = process.platform === 'darwin', warn } = options;
    this.#settling = { settleMs, maxWaitMs };
    this.#warn = (message) => {
      try {
        warn?.(message);
      } catch {
        // There is nobody left to tell, and the watches go on.
      }
    };
    this.#folders = new Folders({ poll, pollParents, pollMs, maxDirectories, warn: this.#warn });
  }

  /**
   * Calls `changed` after every change of what stands at a path. Resolves when no later change can be missed;
   * the function it gives ends the calls at once.
   */
  async watch(path: string, changed: () => void | Promise<void>, options: WatchOptions = {}): Promise<Stop> {
    this.#mustBeOpen(path);
    const watch = new Watch({
      path,
      changed,
      identity: options.identity ?? identityOf,
      folders: this.#folders,
      settling: this.#settling,
      warn: this.#warn,
    });
    this.#watches.add(watch);
    await watch.arm();
    this.#mustBeOpen(path);

    return () => {
      this.#watches.delete(watch);
      watch.stop();
    };
  }

  /** Stops all watches, now and for good. */
  close(): void {
    this.#closed = true;
    for (const watch of this.#watches) watch.stop();
    this.#watches.clear();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #mustBeOpen(path: string) {
    if (this.#closed) throw new Error(`The watcher is closed, so it cannot watch "${path}"`);
  }
}
