import { isObject } from '@mcp/kit';
import { type Id, type JsonObject, type Notification } from '../../jsonrpc/message.ts';
import { metaKeys } from '../../revisions/meta-keys.ts';
import type { Link } from '../connection/link.ts';
import type { Identity } from '../connection/request-meta.ts';

/** An open `subscriptions/listen` request, over whose response the server sends notifications. */
export interface Stream {
  /** The filter that the server has acknowledged. */
  readonly honoured: JsonObject;
  /** Settles when the stream has ended; rejects if the connection was lost. */
  readonly ended: Promise<unknown>;
  stop(): void;
}

/** The open streams of notifications, by the ids of their requests. */
export class NotificationStreams {
  readonly #streams = new WeakMap<Link, Map<Id, (notification: Notification) => void>>();

  /**
   * Opens a stream and resolves once the server has acknowledged it; rejects after `timeoutMs` without
   * acknowledgement.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
   */
  async open(
    link: Link,
    notifications: JsonObject,
    timeoutMs: number,
    received: (notification: Notification) => void,
    identity?: Identity,
  ): Promise<Stream> {
    const id = link.requests.nextId();
    const options = { timeoutMs: Infinity, maxTimeoutMs: Infinity, ...(identity && { identity }) };
    const result = link.request('subscriptions/listen', { notifications }, options, undefined, id);
    const streams = this.#of(link);
    const ended = result.finally(() => streams.delete(id));
    ended.catch(() => {});
    const stop = (reason = new Error('The client has stopped the stream')) => {
      if (!streams.delete(id)) return;
      link.notify('notifications/cancelled', { requestId: id });
      link.requests.abandon(id, reason);
    };
    const timer = setTimeout(
      () =>
        stop(
          new Error(
            `The server did not send notifications/subscriptions/acknowledged within ${timeoutMs} ms`,
          ),
        ),
      timeoutMs,
    );
    try {
      const acknowledged = new Promise<JsonObject>((resolve) => {
        streams.set(id, (notification) => {
          if (notification.method !== 'notifications/subscriptions/acknowledged')
            return received(notification);
          const honoured = notification.params?.['notifications'];
          resolve(isObject(honoured) ? honoured : {});
        });
      });
      // A stream can end before the server acknowledges it; its filter is then empty.
      const honoured = await Promise.race([acknowledged, ended.then(() => ({}))]);
      return { honoured, ended, stop: () => stop() };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Delivers a notification to its stream; returns false if the notification belongs to no stream. */
  take(notification: Notification, link: Link): boolean {
    const meta = notification.params?.['_meta'];
    const id = isObject(meta) ? meta[metaKeys.subscriptionId] : undefined;
    if (typeof id !== 'string' && typeof id !== 'number') return false;
    this.#of(link).get(id)?.(notification);
    return true;
  }

  #of(link: Link): Map<Id, (notification: Notification) => void> {
    const streams = this.#streams.get(link) ?? new Map<Id, (notification: Notification) => void>();
    this.#streams.set(link, streams);
    return streams;
  }
}
