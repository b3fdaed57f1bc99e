import type { Client } from '@mcp/protocol/client';

interface Subscription {
  readonly uri: string;
  readonly changed: () => void;
  readonly lost: (error: Error) => void;
  /** Ends the subscription on the connection on which it was last made. */
  stop: () => Promise<void> | void;
}

/** The subscriptions of a client at a server, kept when a new connection replaces the old one. */
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

  /** Subscribes again on a new connection. Calls each `changed`, because changes may have been missed. */
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
