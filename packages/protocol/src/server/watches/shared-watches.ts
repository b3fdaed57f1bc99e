import type { Stop } from '../../define/resource.ts';

interface Watch {
  readonly listeners: Set<() => void>;
  readonly started: Promise<Stop>;
}

/** Runs one watch for all listeners with the same key, from the first listener to the end of the last. */
export class SharedWatches {
  readonly #watches = new Map<string, Watch>();

  /** Calls `changed` after each change of the resource `key`. Resolves once no later change can be missed. */
  async join(
    key: string,
    start: (changed: () => void) => Stop | Promise<Stop>,
    changed: () => void,
  ): Promise<Stop> {
    // Two subscriptions may pass the same function: each needs its own entry in the set.
    const listener = () => changed();
    let watch = this.#watches.get(key);
    if (!watch) {
      const listeners = new Set<() => void>();
      const tell = () => listeners.forEach((listen) => listen());
      watch = { listeners, started: Promise.resolve().then(() => start(tell)) };
      this.#watches.set(key, watch);
    }
    watch.listeners.add(listener);
    const leave = () => this.#leave(key, watch, listener);
    try {
      await watch.started;
    } catch (error) {
      await leave();
      throw error;
    }
    return leave;
  }

  async #leave(key: string, watch: Watch, listener: () => void): Promise<void> {
    if (!watch.listeners.delete(listener) || watch.listeners.size > 0) return;
    if (this.#watches.get(key) === watch) this.#watches.delete(key);
    const stop = await watch.started.catch(() => undefined);
    await stop?.();
  }
}
