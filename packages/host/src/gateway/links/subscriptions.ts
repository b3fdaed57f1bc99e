import type { Client } from '@mcp/protocol/client';

interface Subscription {
  readonly uri: string;
  readonly changed: () => void;
  readonly lost: (error: Error) => void;
  /** Ends the subscription on the connection on which it was last made. */
  stop: () => Promise<void> | void;
}

/** A client's subscriptions at one server. They outlive a connection: a new connection subscribes again. */
export class Subscriptions {
  readonly #all = new Set<Subscription>();

  get size(): number {
    return this.#all.size;
  }

  /** Subscribes; the returned function ends the subscription, also on a later connection. */
  async add(
    client: Client,
    { uri, changed, lost }: Omit<Subscription, 'stop'>,
  ): Promise<() => Promise<void>> {
    const stop = await client.subscribe(uri, changed, { onLost: lost });
    const subscription: Subscription = { uri, changed, lost, stop };
    this.#all.add(subscription);
    return async () => {
      this.#all.delete(subscription);
      await subscription.stop();
    };
  }

  /**
   * Subscribes to all resources again on a new connection. Calls `changed` of every subscription, because the
   * resource may have changed while there was no connection.
   */
  async resume(client: Client): Promise<void> {
    await Promise.all(
      [...this.#all].map(async (subscription) => {
        const { uri, changed, lost } = subscription;
        try {
          const stop = await client.subscribe(uri, changed, { onLost: lost });
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
