import { Watcher } from '@mcp/watch';
import type { Clock } from '../clock.ts';
import { AnswerWatch, type Freshness, type ReadAnswer } from './answer-watch.ts';

export interface ChangeWatcherOptions {
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  /** How long documents stay fresh, where answers come from providers. */
  readonly freshness?: Freshness;
}

/**
 * Notifies when an answer changes. Every change is noticed by way of files: those of the cache, or of the
 * data.
 */
export class ChangeWatcher {
  readonly #options: ChangeWatcherOptions;
  readonly #watcher: Watcher;

  constructor(options: ChangeWatcherOptions) {
    this.#options = options;
    this.#watcher = new Watcher({ warn: options.warn });
  }

  /**
   * Calls `changed` whenever `read` returns another text, and keeps the answer fresh. Resolves, with a
   * function that stops it, when no later change can be missed.
   */
  async watch(read: ReadAnswer, changed: () => void): Promise<() => void> {
    return start(new AnswerWatch({ ...this.#options, watcher: this.#watcher, read, changed }));
  }

  /** As {@link watch}, for an answer that depends on local files alone. */
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
