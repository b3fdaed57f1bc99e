import { backOff, callSafely, stackOf } from '@mcp/kit';
import { invalidParams, RpcError } from '../../jsonrpc/error.ts';
import type { Notification } from '../../jsonrpc/message.ts';
import type { Backoff, ClientOptions } from '../client-options.ts';
import type { Link, LinkOwner } from '../connection/link.ts';
import type { Links } from '../connection/links.ts';
import type { Identity } from '../connection/request-meta.ts';
import { type Stream, NotificationStreams } from './streams.ts';
import { filterOf, isHonoured, keyOf, type Listener, nameOf, type Topic } from './topic.ts';

const defaultBackoff = { minMs: 500, maxMs: 30_000 };

interface Subscription {
  readonly topic: Topic;
  readonly listeners: Set<Listener>;
  /** Settles once the server has accepted or refused the subscription. */
  ready: Promise<void>;
  /** The link over which the notifications come. */
  link?: Link;
  stream?: Stream;
  startedAt: number;
  /** The number of consecutive attempts to start the subscription again. */
  attempts: number;
  /** Whether the subscription is being started again. */
  restoring: boolean;
}

/**
 * The subscriptions of a client, which start again after a lost connection. In revision 2026-07-28 each has a
 * stream of its own; in older revisions all use the connection itself.
 */
export class Subscriptions {
  readonly #links: Links;
  readonly #owner: Pick<LinkOwner, 'warn' | 'listenerFailed'>;
  readonly #timeoutMs: number;
  readonly #backoff: Backoff;
  readonly #streams = new NotificationStreams();
  readonly #closed = new AbortController();
  readonly #subscriptions = new Map<string, Subscription>();
  /** The requests that end subscriptions and have no response yet, by the keys of the topics. */
  readonly #stopping = new Map<string, Promise<unknown>>();

  constructor(
    links: Links,
    owner: Pick<LinkOwner, 'warn' | 'listenerFailed'>,
    { timeoutMs = 60_000, backoff = defaultBackoff }: ClientOptions,
  ) {
    this.#links = links;
    this.#owner = owner;
    this.#timeoutMs = timeoutMs;
    this.#backoff = backoff;
  }

  /**
   * Adds a listener. The first listener of a topic makes the client subscribe to the topic. The returned
   * function removes the listener.
   */
  async add(topic: Topic, listener: Listener): Promise<() => Promise<void>> {
    const key = keyOf(topic);
    const found = this.#subscriptions.get(key);
    const subscription: Subscription = found ?? {
      topic,
      listeners: new Set(),
      ready: Promise.resolve(),
      startedAt: 0,
      attempts: 0,
      restoring: false,
    };
    subscription.listeners.add(listener);
    if (!found) {
      this.#subscriptions.set(key, subscription);
      subscription.ready = this.#begin(subscription, this.#stopping.get(key));
    }
    try {
      await subscription.ready;
    } catch (error) {
      this.#drop(subscription);
      throw error;
    }
    return async () => {
      if (!subscription.listeners.delete(listener) || subscription.listeners.size > 0) return;
      await this.#stop(subscription);
    };
  }

  /**
   * Subscribes after the previous subscription to this topic has ended, because over HTTP a later request can
   * arrive before an earlier one.
   */
  async #begin(subscription: Subscription, stopped: Promise<unknown> | undefined): Promise<void> {
    await stopped?.catch(() => undefined);
    await this.#start(subscription, await this.#links.get());
  }

  /** Opens a stream of changes of a task; returns undefined if the revision has no such streams. */
  async listenToTask(taskId: string, changed: () => void, identity?: Identity): Promise<Stream | undefined> {
    const link = await this.#links.get();
    if (!link.agreement.revision.stateless) return undefined;
    return this.#streams.open(link, { taskIds: [taskId] }, this.#timeoutMs, changed, identity);
  }

  /** Delivers a notification; returns false if it belongs to no subscription. */
  take(notification: Notification, link: Link): boolean {
    if (this.#streams.take(notification, link)) return true;
    const { method, params } = notification;
    const uri = params?.['uri'];
    const key =
      method === 'notifications/resources/updated' && typeof uri === 'string' ? `resource ${uri}` : method;
    const subscription = this.#subscriptions.get(key);
    if (subscription) this.#changed(subscription);
    return subscription !== undefined;
  }

  /** Calls the listeners of all subscriptions on a connection that may have lost notifications. */
  missed(link: Link): void {
    for (const subscription of this.#subscriptions.values()) {
      if (subscription.link === link) this.#changed(subscription);
    }
  }

  /** Starts the subscriptions of an ended connection again, on the next connection. */
  ended(link: Link): void {
    for (const subscription of this.#subscriptions.values()) {
      // A subscription with a stream is not started again here, but when its stream ends.
      if (subscription.link === link && !subscription.stream) void this.#restore(subscription);
    }
  }

  /** Drops all subscriptions without a message to the server. */
  clear(): void {
    this.#subscriptions.clear();
    this.#closed.abort();
  }

  #changed({ listeners }: Subscription): void {
    for (const listener of listeners) this.#notify(() => listener.changed());
  }

  // An exception in a listener must not end the subscription, nor keep other listeners from being called.
  #notify(listener: () => unknown): void {
    callSafely(listener, (error) =>
      this.#owner.listenerFailed(`A listener of a subscription has failed: ${stackOf(error)}`),
    );
  }

  #isActive({ topic, listeners }: Subscription): boolean {
    return this.#subscriptions.get(keyOf(topic))?.listeners === listeners && listeners.size > 0;
  }

  #drop(subscription: Subscription): void {
    const key = keyOf(subscription.topic);
    if (this.#subscriptions.get(key) === subscription) this.#subscriptions.delete(key);
  }

  async #start(subscription: Subscription, link: Link): Promise<void> {
    const { topic } = subscription;
    subscription.link = link;
    subscription.startedAt = performance.now();
    delete subscription.stream;
    if (!link.agreement.revision.stateless) {
      if (topic.uri !== undefined) await link.request('resources/subscribe', { uri: topic.uri });
      return;
    }
    const stream = await this.#streams.open(link, filterOf(topic), this.#timeoutMs, () =>
      this.#changed(subscription),
    );
    if (!isHonoured(topic, stream.honoured)) {
      const message = `The server sends no notifications of changes of ${nameOf(topic)}`;
      // If the server sends no notifications of a list, the client only warns, because the list may never
      // change.
      if (topic.uri === undefined) this.#owner.warn(message);
      else {
        stream.stop();
        throw new RpcError(invalidParams, message);
      }
    }
    if (!this.#isActive(subscription)) return stream.stop();
    subscription.stream = stream;
    const over = () => {
      if (subscription.stream !== stream) return;
      delete subscription.stream;
      void this.#restore(subscription);
    };
    stream.ended.then(over, over);
  }

  /**
   * Tries to subscribe again until the server accepts or refuses. If the server accepts, calls the listeners,
   * because changes may have been missed.
   */
  async #restore(subscription: Subscription): Promise<void> {
    // The attempt that is already running notices by itself that its connection has ended.
    if (subscription.restoring) return;
    subscription.restoring = true;
    if (performance.now() - subscription.startedAt > this.#backoff.maxMs) subscription.attempts = 0;
    while (this.#isActive(subscription) && (this.#links.reopens || !subscription.link?.ended.aborted)) {
      await backOff(this.#backoff, ++subscription.attempts, {
        signal: this.#closed.signal,
      });
      if (!this.#isActive(subscription)) return;
      try {
        const link = await this.#links.get();
        if (!this.#isActive(subscription)) return;
        await this.#start(subscription, link);
      } catch (error) {
        if (isFinal(error)) return this.#lose(subscription, error);
        continue;
      }
      if (!isLive(subscription)) continue;
      subscription.restoring = false;
      return this.#changed(subscription);
    }
    if (this.#isActive(subscription)) this.#lose(subscription, new Error('The connection has ended'));
  }

  #lose(subscription: Subscription, error: Error): void {
    this.#drop(subscription);
    this.#owner.warn(`The subscription to ${nameOf(subscription.topic)} has ended: ${error.message}`);
    for (const listener of subscription.listeners) this.#notify(() => listener.lost(error));
    subscription.listeners.clear();
  }

  async #stop(subscription: Subscription): Promise<void> {
    const { topic, link, stream } = subscription;
    this.#drop(subscription);
    delete subscription.stream;
    stream?.stop();
    if (topic.uri === undefined || !link || link.ended.aborted) return;
    if (link.agreement.revision.stateless) return;
    const key = keyOf(topic);
    const stopped = link.request('resources/unsubscribe', { uri: topic.uri });
    this.#stopping.set(key, stopped);
    try {
      await stopped;
    } finally {
      if (this.#stopping.get(key) === stopped) this.#stopping.delete(key);
    }
  }
}

/**
 * Whether further attempts are useless: the server refused the subscription, or it requires a login, and an
 * attempt in the background must not ask the user to log in.
 */
function isFinal(error: unknown): error is Error {
  if (error instanceof RpcError) return true;
  if (!(error instanceof Error)) return false;
  const reasons = [error, error.cause].filter((each) => each instanceof Error);
  if (reasons.some((each) => 'transient' in each && each.transient === true)) return false;
  if (reasons.some((each) => 'phase' in each && each.phase === 'authorization')) return true;
  return reasons.some((each) => 'status' in each && (each.status === 401 || each.status === 403));
}

/** Whether the subscription gets notifications, over its stream or, in older revisions, the connection. */
function isLive({ link, stream }: Subscription): boolean {
  return link?.ended.aborted === false && (stream !== undefined || !link.agreement.revision.stateless);
}
