import { backOff, callSafely, emitWarning, KeyedQueue, stackOf } from '@mcp/kit';
import type { Bus } from '@mcp/protocol/state';
import type { Connection, Listener } from './connection.ts';

interface Subscriber {
  readonly heard: (message: string) => void;
  readonly lost: () => void;
}

/** A channel of Redis, and who listens to it in this process. */
interface Channel {
  readonly subscribers: Set<Subscriber>;
  readonly tell: (message: string) => void;
  /** Undefined if it is not known, because a command has got no answer. */
  isSubscribed: boolean | undefined;
  /** Resolves when the last command has got its answer or has failed, perhaps after its time was over. */
  answered: Promise<unknown>;
}

const retries = { minMs: 50, maxMs: 2_000 };

/** Messages by PUBLISH and SUBSCRIBE: one connection of a process listens to all its channels. */
export class RedisBus implements Bus {
  readonly #connection: Connection;
  readonly #listener: Listener;
  readonly #prefix: string;
  readonly #channels = new Map<string, Channel>();
  /** Subscribes and unsubscribes one after the other, for each channel. */
  readonly #queue = new KeyedQueue();

  constructor(connection: Connection, listener: Listener, prefix: string) {
    this.#connection = connection;
    this.#listener = listener;
    this.#prefix = prefix;
    // The client has subscribed again. What was published in the meantime is lost.
    listener.whenRenewed(() => {
      for (const { subscribers } of this.#channels.values()) for (const { lost } of subscribers) safely(lost);
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
    const { subscribers } = this.#channelNamed(name);
    const subscriber = { heard, lost };
    subscribers.add(subscriber);
    const leave = async () => {
      subscribers.delete(subscriber);
      await this.#leave(name);
    };
    try {
      await this.#settle(name);
    } catch (error) {
      void leave();
      throw error;
    }
    return leave;
  }

  channelOf(channel: string): string {
    return `${this.#prefix}bus:${channel}`;
  }

  #channelNamed(name: string): Channel {
    const known = this.#channels.get(name);
    if (known) return known;
    const subscribers = new Set<Subscriber>();
    const tell = (message: string) => {
      for (const each of subscribers) safely(() => each.heard(message));
    };
    const channel = { subscribers, tell, isSubscribed: false, answered: Promise.resolve() };
    this.#channels.set(name, channel);
    return channel;
  }

  /** Leaves a channel to which nobody listens, now or when Redis can be told. */
  async #leave(name: string, attempt = 1): Promise<void> {
    await this.#settle(name).catch(() => void this.#leaveLater(name, attempt));
  }

  async #leaveLater(name: string, attempt: number): Promise<void> {
    await backOff(retries, attempt, { unref: true });
    if (this.#listener.client.isOpen) await this.#leave(name, attempt + 1);
  }

  /** Subscribes to a channel, or leaves it, as its subscribers in this process need it. */
  #settle(name: string): Promise<void> {
    return this.#queue.run(name, async () => {
      const channel = this.#channels.get(name);
      if (!channel) return;
      const { client } = this.#listener;
      const { subscribers, tell } = channel;
      const isWanted = subscribers.size > 0;
      if (isWanted !== channel.isSubscribed) {
        // The late answer to an earlier command would make the client forget the listener of this one.
        await this.#connection.known(() => channel.answered);
        channel.isSubscribed = undefined;
        const reply = isWanted ? client.subscribe(name, tell) : client.unsubscribe(name, tell);
        channel.answered = reply.catch(() => undefined);
        await this.#connection.known(() => reply);
      }
      channel.isSubscribed = isWanted;
      if (subscribers.size === 0) this.#channels.delete(name);
    });
  }
}

function safely(callback: () => void): void {
  callSafely(callback, (error) => emitWarning(`A subscriber of a channel has failed: ${stackOf(error)}`));
}
