import type { Client } from '@mcp/protocol/client';

interface Subscription {
  readonly uri: string;
  readonly changed: () => void;
  readonly lost: (error: Error) => void;
  /** Ends it on the connection that it was last made on. */
  stop: () => Promise<void> | void;
}

/**
 * The subscriptions of a client at a server. They survive the connections of a server whose
 * configuration changes.
 */
export class Subscriptions {
  readonly #all = new Set<Subscription>();

  get size(): number {
    return this.#all.size;
  }

  /** Returns how to end the subscription, on whichever connection it is then. */
  async add(
    client: Client,
    { uri, changed, lost }: Omit<Subscription, 'stop'>,
  ): Promise<() => Promise<void>> {
    const stop = await client.subscribe(uri, changed, { lost });
    const subscription: Subscription = { uri, changed, lost, stop };
    this.#all.add(subscription);
    return async () => {
      this.#all.delete(subscription);
      await subscription.stop();
    };
  }

  /**
   * Subscribes again on the connection that replaces another. Changes may have been missed:
   * each counts as changed.
   */
  async resume(client: Client): Promise<void> {
    await Promise.all(
      [...this.#all].map(async (subscription) => {
        const { uri, changed, lost } = subscription;
        try {
          const stop = await client.subscribe(uri, changed, { lost });
          if (!this.#all.has(subscription)) return await stop();
          subscription.stop = stop;
          changed();
        } catch (error) {
          lost(error instanceof Error ? error : new Error(String(error)));
        }
      }),
    );
  }
}
