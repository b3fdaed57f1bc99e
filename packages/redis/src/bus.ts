import { callSafely, emitWarning, stackOf } from '@mcp/kit';
import type { Bus } from '@mcp/protocol/state';
import type { Connection, Listener } from './connection.ts';

interface Subscriber {
  readonly heard: (message: string) => void;
  readonly lost: () => void;
}

/** Messages by PUBLISH and SUBSCRIBE: one connection of a process listens to all its channels. */
export class RedisBus implements Bus {
  readonly #connection: Connection;
  readonly #listener: Listener;
  readonly #prefix: string;
  readonly #subscribers = new Map<string, Set<Subscriber>>();

  constructor(connection: Connection, listener: Listener, prefix: string) {
    this.#connection = connection;
    this.#listener = listener;
    this.#prefix = prefix;
    // The client has subscribed again. What was published in the meantime is lost.
    listener.whenRenewed(() => {
      for (const all of this.#subscribers.values()) for (const { lost } of all) safely(lost);
    });
  }

  async publish(channel: string, message: string): Promise<void> {
    await this.#connection.send('PUBLISH', this.channelOf(channel), message);
  }

  async subscribe(
    channel: string,
    heard: (message: string) => void,
    lost: () => void,
  ): Promise<() => Promise<void>> {
    const name = this.channelOf(channel);
    const subscriber = { heard, lost };
    const known = this.#subscribers.get(name);
    const all = known ?? new Set();
    this.#subscribers.set(name, all.add(subscriber));
    const leave = async () => this.#leave(name, all, subscriber);
    const tell = (message: string) => {
      for (const each of all) safely(() => each.heard(message));
    };
    try {
      if (!known) await this.#connection.known(() => this.#listener.client.subscribe(name, tell));
    } catch (error) {
      void leave();
      throw error;
    }
    return leave;
  }

  channelOf(channel: string): string {
    return `${this.#prefix}bus:${channel}`;
  }

  async #leave(name: string, all: Set<Subscriber>, subscriber: Subscriber): Promise<void> {
    if (!all.delete(subscriber) || all.size > 0 || this.#subscribers.get(name) !== all) return;
    this.#subscribers.delete(name);
    await this.#listener.client.unsubscribe(name).catch(() => undefined);
  }
}

function safely(callback: () => void): void {
  callSafely(callback, (error) => emitWarning(`A subscriber of a channel has failed: ${stackOf(error)}`));
}
