/** Events that a test has seen, and a promise of those to come. */
export class Recording<Event = void> {
  readonly events: Event[] = [];
  #awaited: (() => void)[] = [];

  /** Records an event, as the listener of a subscription for example. */
  readonly add = (event: Event): void => {
    this.events.push(event);
    for (const resolve of this.#awaited.splice(0)) resolve();
  };

  /** Resolves when `condition` holds, now or after an event. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#awaited.push(resolve));
  }

  /** Resolves when there are so many events. */
  has(count: number): Promise<void> {
    return this.until(() => this.events.length >= count);
  }
}
