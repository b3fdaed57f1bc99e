import type { Incoming, JsonObject, Notification, Response } from '../../../jsonrpc/message.ts';
import type { Connection } from '../../../server/connection/connection.ts';
import type { EventStream } from '../../wire/event-stream.ts';
import { type EventId, eventIdText } from '../event-id.ts';
import type { SealedSession } from '../session-seal.ts';
import { openingOf, resumeStream } from './resumed-stream.ts';
import { cancelledId, SessionLink } from './session-link.ts';
import type { SessionNews } from './session-news.ts';
import type { HearsNews, SharedSessions } from './shared-sessions.ts';
import { SharedStream } from './shared-stream.ts';
import { failureOf } from './stream-opening.ts';
import { retried } from '../../../state/retried.ts';
import { StreamWriter } from '../../../state/stream-writer.ts';

interface PartOptions {
  readonly shared: SharedSessions;
  readonly sealed: SealedSession;
  readonly expiresAt: number;
  /** The maximum number of characters that are kept of a stream. */
  readonly maxLength: number;
  readonly logging: boolean;
  /** Sends a message on the stream for notifications; returns false if the client does not read it here. */
  readonly send: (text: string) => boolean;
  /** Whether the stream for notifications has a connection here. */
  readonly isOpen: () => boolean;
  /** Called when the client has ended the session at another process. */
  readonly ended: () => void;
}

/** A stream that is opened. */
interface Opened {
  readonly requires: readonly string[];
  /** The body with the request. */
  readonly incoming: Incoming;
  readonly primes: boolean;
}

/** The part of a session in this process, which follows what changes in the others. */
export class PartOfSession implements HearsNews {
  readonly link: SessionLink;
  readonly #options: PartOptions;
  #connection!: Connection;
  /** Whether another process has the stream for notifications. */
  #isElsewhere = false;
  readonly #waiting: (() => void)[] = [];
  /** The connections here that carry streams of any process. */
  readonly #resumed = new Set<EventStream>();
  readonly #closed = new AbortController();

  constructor(options: PartOptions) {
    const { shared, sealed, expiresAt } = options;
    this.#options = options;
    this.link = new SessionLink({
      shared,
      key: sealed.key,
      expiresAt,
      settle: (response) => this.#connection.conversation?.requests.settle(response),
      levelStored: () => void this.restore(),
    });
  }

  /** Begins with the connection of the session. */
  begin(connection: Connection): void {
    this.#connection = connection;
    this.#options.shared.enter(this.link.key, this);
  }

  /** Whether the client gets its notifications from another process, so that those of this one wait. */
  get elsewhere(): boolean {
    return this.#isElsewhere;
  }

  /** Resolves when the client gets its notifications from this process again. */
  async returned(): Promise<void> {
    if (this.#isElsewhere) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Reads the log level that the client has set at another process; later, if the store fails now. */
  async restore(): Promise<void> {
    if (!this.#options.logging) return;
    const read = async () => {
      const level = await this.link.level();
      if (level) this.#connection.conversation?.levelChanged(level);
    };
    await read().catch(() => void retried(read, this.#closed.signal));
  }

  /** Called when the client opens the stream for notifications here. */
  listen(): void {
    this.#return();
    this.link.listening = true;
    void this.link.tell({ kind: 'listening' }).catch(() => undefined);
    void this.#subscribe();
  }

  /** Called when a connection of the stream for notifications has closed here. */
  left(): void {
    if (!this.#options.isOpen()) void this.link.tell({ kind: 'left' }).catch(() => undefined);
  }

  /** Takes the stream for notifications back, if its connection is here: the client may read no other one. */
  #listenAgain(): void {
    if (this.#isElsewhere && this.#options.isOpen()) this.listen();
  }

  #return(): void {
    this.#isElsewhere = false;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  /** Passes on what concerns other processes too. Throws if they must know, and cannot be told. */
  async notified({ method, params }: Notification): Promise<void> {
    if (method === 'notifications/roots/list_changed') await this.link.tell({ kind: 'roots' });
    if (method === 'notifications/cancelled') await this.#cancel(params);
  }

  /** Tells the process that runs a request of its cancellation. */
  async #cancel(params: unknown): Promise<void> {
    if (!this.#connection.isRunning(cancelledId(params)))
      await this.link.tell({ kind: 'cancelled', params: params as JsonObject }).catch(() => undefined);
  }

  /** Passes answers on to the processes that asked; returns false if none waits for one of them. */
  async passOn(responses: readonly Response[]): Promise<boolean> {
    const taken = await Promise.all(responses.map((each) => this.link.passOn(each)));
    if (!taken.includes(false)) return true;
    this.#options.shared.refuseIfEarly();
    return false;
  }

  /** Opens the stream of a request that this process answers. */
  openStream(event: EventId, { requires, incoming, primes }: Opened): SharedStream {
    const { shared, maxLength } = this.#options;
    const { store, lease } = shared;
    const name = this.#nameOf(event);
    return new SharedStream({
      opening: { process: lease.id, requires, failure: failureOf(incoming) },
      primes,
      idOf: (place) => eventIdText({ ...event, place }),
      write: (to) => new StreamWriter({ streams: store.streams, name, lease, maxLength, ...to }),
    });
  }

  /** The scopes that the messages of a stream require. */
  async requiredFor(event: EventId): Promise<readonly string[]> {
    const { streams } = this.#options.shared.store;
    return (await openingOf(streams, this.#nameOf(event)))?.requires ?? [];
  }

  /**
   * Resumes the stream of a request after an event, whichever process answers the request. Undefined if what
   * the client has missed is not stored any more.
   */
  async resume(event: EventId): Promise<EventStream | undefined> {
    const { store, lease } = this.#options.shared;
    const idOf = (place: number) => eventIdText({ ...event, subscribed: false, place });
    const name = this.#nameOf(event);
    const carrier = await resumeStream({ streams: store.streams, lease, name, place: event.place, idOf });
    if (!carrier) {
      this.#options.shared.refuseIfEarly();
      return undefined;
    }
    this.#resumed.add(carrier);
    carrier.whenClosed(() => void this.#resumed.delete(carrier));
    return carrier;
  }

  /** Whether a stream that was resumed here is still open. */
  get carries(): boolean {
    return this.#resumed.size > 0;
  }

  heard(news: SessionNews, isOwn: boolean): void {
    const { conversation } = this.#connection;
    switch (news.kind) {
      case 'level':
        return void this.restore();
      case 'subscribed':
        return void (this.link.listening && this.#follow(news.uri));
      case 'unsubscribed':
        return void conversation?.unfollow(news.uri);
      case 'left':
        return this.#listenAgain();
      case 'listening':
        if (isOwn) return this.#return();
        this.#isElsewhere = this.link.listening;
        return this.link.sendAgain();
      case 'message':
        if (!this.#isElsewhere && this.#options.send(news.text))
          void this.link.tell({ kind: 'sent', id: news.id }).catch(() => undefined);
        return;
      case 'sent':
        return this.link.messageSent(news.id);
      case 'cancelled':
        return this.#connection.cancel(news.params);
      case 'roots':
        return conversation?.rootsChanged();
      case 'ended':
        return this.#options.ended();
    }
  }

  lostNews(): void {
    this.#connection.conversation?.rootsChanged();
    void this.restore();
    if (this.link.listening) void this.#subscribe();
    this.#listenAgain();
  }

  close(): void {
    this.#closed.abort();
    this.#options.shared.leave(this.link.key, this);
    this.link.close();
    for (const events of this.#resumed) events.end();
  }

  #nameOf({ sender, stream }: EventId): string {
    return this.link.streamNamed(`${sender}-${stream}`);
  }

  /** Follows the resources to which the client is subscribed, as soon as the store can be used. */
  async #subscribe(): Promise<void> {
    const uris = await retried(() => this.link.subscriptions(), this.#closed.signal);
    await Promise.all((uris ?? []).map((uri) => this.#follow(uri)));
  }

  async #follow(uri: string): Promise<void> {
    await retried(async () => this.#connection.conversation?.follow(uri), this.#closed.signal);
  }
}
