import { DirectoryRegistry } from './directory-registry.ts';
import { identityOf, type Identity } from './identity.ts';
import { Watch } from './watch.ts';
import type { DebounceOptions } from './debounce.ts';
import type { Stop } from './stop.ts';

/** Options of a watcher; the defaults suit a server that notifies its clients of changes. */
export interface WatcherOptions {
  /**
   * Milliseconds without an event after which a path is compared with its last known state; defaults to 30.
   */
  settleMs?: number | undefined;
  /** Milliseconds after which a path is compared although events continue; defaults to 500. */
  maxWaitMs?: number | undefined;
  /** Maximum number of directories watched by the system; the others are polled. Defaults to 1024. */
  maxDirectories?: number | undefined;
  /** Milliseconds between polls of paths that the system does not watch; defaults to 1000. */
  pollMs?: number | undefined;
  /** Polls all directories, which is necessary on network file systems; defaults to false. */
  poll?: boolean | undefined;
  /**
   * Whether directories above watched paths are polled instead of watched. Defaults to true on macOS, where
   * the watch of a directory also reports all changes below it.
   */
  pollParents?: boolean | undefined;
  /**
   * Called with a message when polling begins (once for each reason), and when a `changed` callback fails.
   */
  onWarning?: ((message: string) => void) | undefined;
}

/** Options of one watched path. */
export interface WatchOptions {
  /**
   * Returns a text that describes the state of the path: the path has changed if this text differs from the
   * last one. Defaults to {@link identityOf}, which reads only metadata.
   */
  identity?: Identity | undefined;
}

/** Watches paths through the directories above them, so that the paths may be replaced or created later. */
export class Watcher {
  readonly #directories: DirectoryRegistry;
  readonly #debounce: DebounceOptions;
  readonly #warn: (message: string) => void;
  readonly #watches = new Set<Watch>();
  #closed = false;

  constructor(options: WatcherOptions = {}) {
    const { settleMs = 30, maxWaitMs = 500, maxDirectories = 1024, pollMs = 1000 } = options;
    const { poll = false, pollParents = process.platform === 'darwin', onWarning: warn } = options;
    this.#debounce = { settleMs, maxWaitMs };
    this.#warn = (message) => {
      try {
        warn?.(message);
      } catch {
        // An error of `onWarning` is ignored: it cannot be reported anywhere, and the watches must continue.
      }
    };
    this.#directories = new DirectoryRegistry({
      poll,
      pollParents,
      pollMs,
      maxDirectories,
      warn: this.#warn,
    });
  }

  /**
   * Calls `changed` after every change of a path, which need not exist, and returns a function that stops the
   * calls immediately. Resolves once every later change will be noticed. Calls never overlap: a promise that
   * `changed` returns is awaited before the next call.
   * @throws when the watcher is closed.
   */
  async watch(path: string, changed: () => void | Promise<void>, options: WatchOptions = {}): Promise<Stop> {
    this.#assertOpen(path);
    const watch = new Watch({
      path,
      changed,
      identity: options.identity ?? identityOf,
      directories: this.#directories,
      debounce: this.#debounce,
      warn: this.#warn,
    });
    this.#watches.add(watch);
    await watch.arm();
    this.#assertOpen(path);

    return () => {
      this.#watches.delete(watch);
      watch.stop();
    };
  }

  /** Stops all watches; the watcher cannot be used afterwards. */
  close(): void {
    this.#closed = true;
    for (const watch of this.#watches) watch.stop();
    this.#watches.clear();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #assertOpen(path: string) {
    if (this.#closed) throw new Error(`Cannot watch "${path}": the watcher is closed`);
  }
}
