import type { Stop } from '../define/resource.ts';
import { isObject, type Id, type JsonObject, type Notification } from '../jsonrpc/message.ts';
import type { Peer } from '../jsonrpc/peer.ts';
import { metaKeys } from '../revisions/meta-keys.ts';

type Listeners = Map<string, Set<() => void>>;

/** What a client has asked to be told, by streams of its own or by the one wire that everything shares. */
export class Subscriptions {
  readonly #peer: Peer;
  readonly #warn: (message: string) => void;
  readonly #streams = new Map<Id, (notification: Notification) => void>();
  readonly #updated: Listeners = new Map();
  readonly #listChanged: Listeners = new Map();

  constructor(peer: Peer, warn: (message: string) => void) {
    this.#peer = peer;
    this.#warn = warn;
  }

  /** Opens a stream of notifications; resolves with what the server agreed to tell. */
  async listen(
    params: JsonObject,
    heard: () => void,
  ): Promise<{ readonly honoured: JsonObject; readonly stop: () => Promise<void> }> {
    const { id, result } = this.#peer.request('subscriptions/listen', () => params);
    const acknowledged = new Promise<JsonObject>((resolve) => {
      this.#streams.set(id, ({ method, params: told }) => {
        if (method !== 'notifications/subscriptions/acknowledged') return heard();
        const honoured = told?.['notifications'];
        resolve(isObject(honoured) ? honoured : {});
      });
    });
    const ended = result.finally(() => this.#streams.delete(id));
    const honoured = await Promise.race([acknowledged, ended.then(() => ({}))]);
    ended.catch((error: unknown) => this.#warn(String(error)));
    return {
      honoured,
      stop: async () => {
        if (!this.#streams.delete(id)) return;
        this.#peer.notify('notifications/cancelled', { requestId: id });
        this.#peer.abandon(id, new Error('The stream was stopped on this side'));
        await ended.catch(() => {});
      },
    };
  }

  /** Whether somebody hears of a resource that the server tells everybody about. */
  has(uri: string): boolean {
    return this.#updated.has(uri);
  }

  whenUpdated(uri: string, updated: () => void): () => void {
    return addTo(this.#updated, uri, updated);
  }

  whenListChanged(kind: string, changed: () => void): Stop {
    return addTo(this.#listChanged, `notifications/${kind}/list_changed`, changed);
  }

  /** Takes a notification; false for one that is about no subscription. */
  hear(notification: Notification): boolean {
    const { method, params = {} } = notification;
    const meta = params['_meta'];
    const stream = isObject(meta) ? meta[metaKeys.subscriptionId] : undefined;
    if (stream !== undefined) {
      this.#streams.get(stream as Id)?.(notification);
      return true;
    }
    const listeners =
      method === 'notifications/resources/updated'
        ? this.#updated.get(String(params['uri']))
        : this.#listChanged.get(method);
    listeners?.forEach((listener) => listener());
    return listeners !== undefined;
  }
}

function addTo(listeners: Listeners, key: string, listener: () => void): () => void {
  const entry = () => listener();
  const all = listeners.get(key) ?? new Set();
  listeners.set(key, all.add(entry));
  return () => {
    if (all.delete(entry) && all.size === 0) listeners.delete(key);
  };
}
