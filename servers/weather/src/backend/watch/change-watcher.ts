import { Watcher } from '@mcp/watch';
import type { Clock } from '../clock.ts';
import { LiveAnswer, type Look, type Refreshes } from './answer-watch.ts';

export interface LiveAnswersOptions {
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  /** Says until when files are fresh, where answers come from upstreams. */
  readonly refreshes?: Refreshes;
}

/** Tells when an answer is no longer what it was. Files on disk are the only way to hear of anything. */
export class LiveAnswers {
  readonly #options: LiveAnswersOptions;
  readonly #watcher: Watcher;

  constructor(options: LiveAnswersOptions) {
    this.#options = options;
    this.#watcher = new Watcher({ warn: options.warn });
  }

  /** Calls `changed` whenever `look` gives another text, until stopped. Resolves when no change can be missed. */
  async watch(look: Look, changed: () => void): Promise<() => void> {
    const answer = new LiveAnswer({ ...this.#options, watcher: this.#watcher, look, changed });
    try {
      await answer.begin();
    } catch (error) {
      answer.stop();
      throw error;
    }
    return () => answer.stop();
  }

  /** The same for what is on disk alone, and never asked of an upstream. */
  async watchFiles(look: Look, changed: () => void): Promise<() => void> {
    const { clock, warn } = this.#options;
    const answer = new LiveAnswer({ clock, warn, watcher: this.#watcher, look, changed });
    await answer.begin();
    return () => answer.stop();
  }

  close(): void {
    this.#watcher.close();
  }
}
