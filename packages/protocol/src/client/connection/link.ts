import type { Channel } from '../../jsonrpc/channel.ts';
import { ConnectionClosed } from '../../jsonrpc/error.ts';
import type { JsonObject, Notification, Request } from '../../jsonrpc/message.ts';
import { Peer } from '../../jsonrpc/peer.ts';
import type { Revision } from '../../revisions/revision.ts';
import type { Agreement } from '../handshake/agree.ts';
import type { CallOptions } from '../requests/call-options.ts';
import { type Identity, withMeta } from '../requests/request-meta.ts';
import type { Implementation } from '../results/results.ts';
import { Requests } from '../requests/requests.ts';

/** The functions of a client that its links use. */
export interface LinkOwner {
  readonly info: Implementation;
  readonly timeoutMs: number | undefined;
  readonly maxTimeoutMs: number | undefined;
  /** Aborted when the client closes. */
  readonly closing: AbortSignal;
  identity(revision: Revision): Identity;
  answer(request: Request, link: Link): Promise<JsonObject>;
  notification(notification: Notification, link: Link): void;
  /** Notifications may have been lost. */
  missed(link: Link): void;
  ended(link: Link, reason: Error | undefined): void;
  warn(message: string): void;
  listenerFailed(message: string): void;
}

/** One connection to a server, from its handshake to its end. */
export class Link {
  readonly peer: Peer;
  readonly requests: Requests;
  readonly #owner: LinkOwner;
  readonly #ended = new AbortController();
  #agreement: Agreement | undefined;

  constructor(channel: Channel, owner: LinkOwner) {
    this.#owner = owner;
    const close = () => void this.close();
    this.peer = new Peer(channel, {
      request: (request) => owner.answer(request, this),
      notification: (notification) => {
        if (notification.method === 'notifications/progress')
          return this.requests.progressed(notification.params ?? {});
        return owner.notification(notification, this);
      },
      response: (response, text) => this.requests.settle(response, text),
      failed: (id, error) => this.requests.abandon(id, error),
      lost: (error) => this.requests.abandonOnly(error),
      missed: () => owner.missed(this),
      retired: (reason) => {
        this.#end(new ConnectionClosed(reason));
        // Its requests may still be answered, but not after the client has closed.
        owner.closing.addEventListener('abort', close, { once: true });
      },
      closed: (reason) => {
        owner.closing.removeEventListener('abort', close);
        this.requests.close(reason);
        this.#end(reason);
      },
      warn: (message) => owner.warn(message),
      listenerFailed: (message) => owner.listenerFailed(message),
      held: (id, until) => this.requests.held(id, until),
      answers: () => this.revision?.stateless !== true,
    });
    this.requests = new Requests(this.peer, owner.timeoutMs, owner.maxTimeoutMs);
    // A handshake may wait for a user; closing the client ends it.
    const giveUp = () => {
      if (!this.#agreement) close();
    };
    owner.closing.addEventListener('abort', giveUp, { once: true, signal: this.#ended.signal });
    if (owner.closing.aborted) giveUp();
  }

  /** Aborted with the connection's end. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** The revision, once it is agreed. */
  get revision(): Revision | undefined {
    return this.#agreement?.revision;
  }

  get agreement(): Agreement {
    if (!this.#agreement) throw new Error('No revision is agreed yet');
    return this.#agreement;
  }

  agreed(agreement: Agreement): void {
    this.#agreement = agreement;
  }

  #end(reason: Error | undefined): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort(reason ?? new ConnectionClosed('The connection has ended'));
    this.#owner.ended(this, reason);
  }

  /** Sends a request in the form of `revision`. */
  send(
    revision: Revision,
    method: string,
    params: JsonObject,
    options: CallOptions = {},
    headers?: { readonly [name: string]: string },
  ): Promise<JsonObject> {
    const id = this.requests.nextId();
    const token = options.progress && id;
    // Requests of other revisions have no `_meta`.
    const complete =
      revision.stateless || token !== undefined
        ? withMeta(params, revision, options.identity ?? this.#owner.identity(revision), token)
        : params;
    return this.requests.send({ id, method, params: complete, headers }, options);
  }

  close(): Promise<void> {
    this.requests.close(new ConnectionClosed('The connection was closed on this side'));
    return this.peer.close();
  }
}
