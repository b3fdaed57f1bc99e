import { callSafely, isObject, messageOf, stackOf } from '@mcp/kit';
import { isObserved, observeAnswer, type Observer, withObserved } from '../../define/observer.ts';
import type { Channel } from '../../jsonrpc/channel.ts';
import {
  ConnectionClosed,
  internalError,
  invalidParams,
  invalidRequest,
  RpcError,
} from '../../jsonrpc/error.ts';
import { maxClientDepth } from '../../jsonrpc/depth.ts';
import { elementTexts, type JsonSource, textOf } from '../../jsonrpc/json-source.ts';
import {
  classify,
  errorText,
  type Id,
  type JsonObject,
  type Notification,
  notificationText,
  parse,
  type Request,
  requestAround,
  requestText,
  resultText,
} from '../../jsonrpc/message.ts';
import type { Revision } from '../../revisions/revision.ts';
import type { CallOptions } from '../call-options.ts';
import type { Implementation } from '../results/results.ts';
import { type Identity, withMeta } from './request-meta.ts';
import { type Outgoing, Requests } from './requests.ts';

/** The result of a handshake. */
export interface Agreement {
  readonly revision: Revision;
  readonly capabilities: JsonObject;
  readonly serverInfo: Implementation | undefined;
  readonly instructions: string | undefined;
}

/** The functions of a client that its links use. */
export interface LinkOwner {
  readonly timeoutMs: number | undefined;
  readonly maxTimeoutMs: number | undefined;
  readonly firstId: number | undefined;
  readonly observer: Observer | undefined;
  /** Aborted when the client closes. */
  readonly closing: AbortSignal;
  identity(revision: Revision): Identity;
  /** Answers a request of the server; throws an {@link RpcError} to refuse it. */
  answerRequest(request: Request, link: Link): Promise<JsonObject>;
  notified(notification: Notification, link: Link): void;
  /** Called when notifications may have been lost. */
  missed(link: Link): void;
  ended(link: Link, reason: Error | undefined): void;
  /** Called for a message that cannot be used, such as a response that no request waits for. */
  warn(message: string): void;
  /** Called when a listener throws, or when the promise that it returned rejects. */
  listenerFailed(message: string): void;
}

/** One connection to a server, from its handshake to its end. */
export class Link {
  readonly requests: Requests;
  readonly #channel: Channel;
  readonly #owner: LinkOwner;
  readonly #ended = new AbortController();
  #agreement: Agreement | undefined;
  /**
   * The last malformed message. The error of a request that times out shows this message, because it may have
   * been the response.
   */
  #lastUnread: string | undefined;

  constructor(channel: Channel, owner: LinkOwner) {
    this.#channel = channel;
    this.#owner = owner;
    const { timeoutMs, maxTimeoutMs, firstId, closing } = owner;
    this.requests = new Requests(this, timeoutMs, maxTimeoutMs, firstId);
    const close = () => void this.close();
    channel.open({
      message: (text, value) => this.#receive(text, value),
      malformed: (error) => this.#unread(error),
      failed: (id, error) => this.requests.abandon(id, error),
      held: (id, until) => this.requests.held(id, until),
      missed: () => owner.missed(this),
      retired: (reason) => {
        this.#end(new ConnectionClosed(reason));
        // The channel takes no more requests, but stays open for the responses to earlier ones. If it has not
        // ended by itself, it is closed when the client closes.
        closing.addEventListener('abort', close, { once: true });
      },
      ended: (given) => {
        const reason = typeof given === 'string' ? new ConnectionClosed(given) : given;
        closing.removeEventListener('abort', close);
        this.requests.close(reason);
        this.#end(reason);
      },
    });
    // A handshake may wait for the user's login, so closing the client must be able to end the handshake.
    const giveUp = () => {
      if (!this.#agreement) close();
    };
    closing.addEventListener('abort', giveUp, { once: true, signal: this.#ended.signal });
    if (closing.aborted) giveUp();
  }

  /** Aborts when the connection ends. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  get revision(): Revision | undefined {
    return this.#agreement?.revision;
  }

  get agreement(): Agreement {
    if (!this.#agreement) throw new Error('The handshake with the server has not finished; try again later');
    return this.#agreement;
  }

  get lastUnread(): string | undefined {
    return this.#lastUnread;
  }

  agreed(agreement: Agreement): void {
    this.#agreement = agreement;
  }

  /** The client's name, version and capabilities, as requests in `revision` declare them. */
  identity(revision: Revision): Identity {
    return this.#owner.identity(revision);
  }

  /** Sends a request in the form of the agreed revision. */
  request(
    method: string,
    params: JsonObject,
    options?: CallOptions,
    headers?: Outgoing['headers'],
    id?: number,
  ): Promise<JsonObject> {
    return this.send(this.agreement.revision, method, params, options, headers, id);
  }

  /** Sends a request in the form of `revision`. */
  send(
    revision: Revision,
    method: string,
    params: JsonObject,
    options: CallOptions = {},
    headers?: Outgoing['headers'],
    id = this.requests.nextId(),
  ): Promise<JsonObject> {
    const token = options.onProgress && id;
    const own = options.meta
      ? { ...params, _meta: { ...(params['_meta'] as object), ...options.meta } }
      : params;
    // Before revision 2026-07-28, a request has `_meta` only if it asks for progress.
    const complete =
      revision.stateless || token !== undefined
        ? withMeta(own, revision, options.identity ?? this.identity(revision), token)
        : own;
    const { observer } = this.#owner;
    const outgoing = { id, method, params: complete, headers };
    if (!observer) return this.requests.send(outgoing, options);
    if (!isObserved(method)) return observer.apart(() => this.requests.send(outgoing, options));
    return this.#observe(observer, revision, outgoing, options);
  }

  /** Sends a request with the fields that the observer adds to its `_meta`. */
  #observe(
    observer: Observer,
    { version }: Revision,
    outgoing: Outgoing,
    options: CallOptions,
  ): Promise<JsonObject> {
    const { id, method, params } = outgoing;
    const { route } = this.#channel;
    const observation = observer.sent({ id, method, params, revision: version, route });
    const sent = { ...outgoing, params: withObserved(params, observation.meta) };
    const { signal, canceller } = options;
    let isCancelled = false;
    const noticing = (cancel: (reason: unknown) => void) =>
      canceller?.((reason) => {
        isCancelled = true;
        cancel(reason);
      });
    const send = () => this.requests.send(sent, canceller ? { ...options, canceller: noticing } : options);
    return observeAnswer(observation, send, () => isCancelled || signal?.aborted === true);
  }

  /** Sends the message of a request. `source` is the JSON text of parameters that a proxy passes on. */
  sendRequest({ id, method, params, headers }: Outgoing, source: JsonSource | undefined): void {
    const envelope = headers ? { id, method, params, headers } : { id, method, params };
    const text = source ? requestAround(id, method, textOf(params, source)) : requestText(id, method, params);
    this.#channel.send(text, envelope);
  }

  notify(method: string, params?: JsonObject): void {
    const send = () =>
      this.#channel.send(notificationText(method, params), { method, ...(params && { params }) });
    // A channel over HTTP opens its stream of messages after a notification.
    if (this.#owner.observer) this.#owner.observer.apart(send);
    else send();
  }

  close(): Promise<void> {
    this.requests.close(new ConnectionClosed('The client has closed the connection'));
    return this.#channel.close();
  }

  #end(reason: Error | undefined): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort(reason ?? new ConnectionClosed('The connection has ended'));
    this.#owner.ended(this, reason);
  }

  #receive(text: string, parsed?: unknown): void {
    let value = parsed;
    try {
      value ??= parse(text, maxClientDepth);
    } catch (error) {
      return this.#unread(error, text);
    }
    if (!Array.isArray(value)) return this.#receiveOne(value, text);
    const texts = elementTexts(text);
    for (const [index, item] of value.entries()) this.#receiveOne(item, texts[index]);
  }

  #unread(error: unknown, text?: string): void {
    const shown = text === undefined ? messageOf(error) : `${messageOf(error)}: ${text.slice(0, 200)}`;
    this.#lastUnread = shown;
    // Without text, the message was too long or could not be read. It may have been the response to any
    // waiting request, so a request is rejected only if it is the only one that waits.
    if (text === undefined) this.requests.abandonOnly(new Error(shown, { cause: error }));
    this.#owner.warn(shown);
  }

  #receiveOne(value: unknown, text?: string): void {
    const message = classify(value);
    switch (message.kind) {
      case 'request':
        return void this.#answer(message.request);
      case 'notification':
        return this.#notified(message.notification);
      case 'response':
        if (this.requests.settle(message.response, text)) return;
        return this.#owner.warn(
          `Ignored a response with the unknown id ${JSON.stringify(message.response.id)}`,
        );
      case 'invalid':
        return this.#refuse(invalidRequest, message.reason, message.id);
    }
  }

  // An exception in a listener must not stop the delivery of later messages.
  #notified(notification: Notification): void {
    const { method, params = {} } = notification;
    if (!isObject(params)) {
      return this.#owner.warn(`"params" of the notification ${JSON.stringify(method)} must be an object`);
    }
    callSafely(
      () =>
        method === 'notifications/progress'
          ? this.requests.progressed(params)
          : this.#owner.notified(notification, this),
      (error) =>
        this.#owner.listenerFailed(`The listener of ${JSON.stringify(method)} has failed: ${stackOf(error)}`),
    );
  }

  /** Whether the client answers requests of the server. In stateless revisions, servers send no requests. */
  get #answers(): boolean {
    return this.revision?.stateless !== true;
  }

  // Only messages with an id are answered: if both sides answered every malformed message, they could answer
  // each other forever.
  #refuse(code: number, message: string, id?: Id): void {
    if (id === undefined || !this.#answers) this.#owner.warn(message);
    else this.#channel.send(errorText(id, { code, message }), { id });
  }

  #answered(request: Request): Promise<JsonObject> {
    const answer = () => this.#owner.answerRequest(request, this);
    const { observer } = this.#owner;
    if (!observer) return answer();
    const { id, method, params } = request;
    const given = isObject(params) ? params : {};
    const { route } = this.#channel;
    const revision = this.revision?.version;
    return observeAnswer(observer.received({ id, method, params: given, revision, route }), answer);
  }

  async #answer(request: Request): Promise<void> {
    const { id, method, params } = request;
    if (!this.#answers) {
      const reason = `protocol version ${this.revision?.version} has no requests of servers`;
      return this.#owner.warn(`Ignored the request ${JSON.stringify(method)} of the server: ${reason}`);
    }
    if (params !== undefined && !isObject(params)) {
      return this.#refuse(invalidParams, '"params" must be an object', id);
    }
    try {
      const result: unknown = await this.#answered(request);
      if (!isObject(result)) throw new TypeError(`The answer to ${method} must be an object`);
      this.#channel.send(resultText(id, JSON.stringify(result)), { id });
    } catch (error) {
      const known = error instanceof RpcError ? error : { code: internalError, message: messageOf(error) };
      this.#channel.send(errorText(id, known), { id });
    }
  }
}
