import type { Outlet } from '../call/outlet.ts';

/**
 * The pending notifications of one subscriber. While they cannot be sent, several about the same resource or
 * list become one, so that a client that does not read costs at most one entry per resource or list.
 */
export class PendingUpdates<News> {
  readonly #outlet: Pick<Outlet, 'congested' | 'drained'>;
  readonly #send: (news: News) => void;
  readonly #due = new Map<string, News>();
  #delivering = false;
  #held = true;

  constructor(outlet: Pick<Outlet, 'congested' | 'drained'>, send: (news: News) => void) {
    this.#outlet = outlet;
    this.#send = send;
  }

  add(key: string, news: News): void {
    this.#due.set(key, news);
    void this.#deliver();
  }

  /** Starts sending. Notifications that were added before this call have waited for it. */
  release(): void {
    this.#held = false;
    void this.#deliver();
  }

  drop(key: string): void {
    this.#due.delete(key);
  }

  clear(): void {
    this.#held = true;
    this.#due.clear();
  }

  async #deliver(): Promise<void> {
    if (this.#delivering || this.#held || this.#due.size === 0) return;
    this.#delivering = true;
    // Delivers after the code that is running now, so that a burst of changes becomes one notification.
    await Promise.resolve();
    for (const [key, news] of this.#due) {
      if (this.#outlet.congested) await this.#outlet.drained();
      if (this.#held) break;
      if (this.#due.delete(key)) this.#send(news);
    }
    this.#delivering = false;
    if (this.#due.size > 0) void this.#deliver();
  }
}
