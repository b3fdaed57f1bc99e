import { Watcher } from '@mcp/watch';
import type { Clock } from '../clock.ts';
import { AnswerWatch, type Freshness, type ReadAnswer } from './answer-watch.ts';

export interface ChangeWatcherOptions {
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  /** Tells how long documents are fresh. It is given if answers come from online providers. */
  readonly freshness?: Freshness;
}

/** Notifies when an answer changes, by watching the files of the cache or of the user's data. */
export class ChangeWatcher {
  readonly #options: ChangeWatcherOptions;
  readonly #watcher: Watcher;

  constructor(options: ChangeWatcherOptions) {
    this.#options = options;
    this.#watcher = new Watcher({ onWarning: options.warn });
  }

  /**
   * Calls `changed` whenever `read` returns another text. An answer that is no longer fresh is fetched again.
   * Once every later change will be noticed, resolves with a function that ends the watch.
   */
  async watch(read: ReadAnswer, changed: () => void): Promise<() => void> {
    return start(new AnswerWatch({ ...this.#options, watcher: this.#watcher, read, changed }));
  }

  /** Like {@link watch}, but never fetches the answer, because it depends only on local files. */
  async watchFiles(read: ReadAnswer, changed: () => void): Promise<() => void> {
    const { clock, warn } = this.#options;
    return start(new AnswerWatch({ clock, warn, watcher: this.#watcher, read, changed }));
  }

  close(): void {
    this.#watcher.close();
  }
}

async function start(answer: AnswerWatch): Promise<() => void> {
  try {
    await answer.start();
  } catch (error) {
    answer.stop();
    throw error;
  }
  return () => answer.stop();
}
