import { callSafely } from './call-safely.ts';
import type { Channel } from './channel.ts';
import { elementTexts, type JsonSource, textOf } from './json-source.ts';
import {
  ConnectionClosed,
  internalError,
  invalidParams,
  invalidRequest,
  messageOf,
  RpcError,
  stackOf,
} from './error.ts';
import {
  classify,
  errorText,
  type Id,
  isObject,
  type JsonObject,
  type Notification,
  notificationText,
  parse,
  type Request,
  requestAround,
  requestText,
  type Response,
  resultText,
} from './message.ts';

export interface PeerHandlers {
  /** Answers a request of the other side; throws an {@link RpcError} to refuse it. */
  request(request: Request): Promise<JsonObject>;
  /** Returns what the listener of this side has returned, if it has one. */
  notification(notification: Notification): unknown;
  /** Takes a response, whose JSON text is `text`; false where no request waits for it. */
  response(response: Response, text: string | undefined): boolean;
  /** The request `id` gets no response. */
  failed(id: Id, error: Error): void;
  /** A message was too long, or could not be read; it may have been the response to any request. */
  lost(error: Error): void;
  /** Notifications may have been lost. */
  missed?(): void;
  /** No more requests can be sent. */
  retired?(reason: string): void;
  /** The channel has ended. */
  closed(reason: Error | undefined): void;
  /** A message arrived that cannot be used, such as a response that no request waits for. */
  warn(message: string): void;
  /** Called when a listener of this side has thrown, or the promise that it returned is rejected. */
  listenerFailed(message: string): void;
  /**
   * The request, or every one if `id` is undefined, waits for something other than the other side, such as a
   * user.
   */
  held?(id: Id | undefined, until: Promise<unknown>): void;
  /** Whether requests of the other side are answered; defaults to true. */
  answers?(): boolean;
}

/** One side of a JSON-RPC conversation that mostly sends requests, as a client does. */
export class Peer {
  readonly #channel: Channel;
  readonly #handlers: PeerHandlers;
  /** The last malformed message; it may have been the response to a waiting request. */
  #lastUnread: string | undefined;

  constructor(channel: Channel, handlers: PeerHandlers) {
    this.#channel = channel;
    this.#handlers = handlers;
    channel.open({
      message: (text, value) => this.#receive(text, value),
      malformed: (error) => this.#unread(error),
      failed: (id, error) => handlers.failed(id, error),
      held: (id, until) => handlers.held?.(id, until),
      missed: () => handlers.missed?.(),
      retired: (reason) => handlers.retired?.(reason),
      ended: (reason) => {
        handlers.closed(typeof reason === 'string' ? new ConnectionClosed(reason) : reason);
      },
    });
  }

  get lastUnread(): string | undefined {
    return this.#lastUnread;
  }

  /**
   * Sends a request with an id that no earlier one had. `source` has the text of
   * parameters that are passed on.
   */
  request(
    id: Id,
    method: string,
    params: JsonObject,
    headers: { readonly [name: string]: string } | undefined,
    source?: JsonSource,
  ): void {
    const envelope = headers ? { id, method, params, headers } : { id, method, params };
    const text = source ? requestAround(id, method, textOf(params, source)) : requestText(id, method, params);
    this.#channel.send(text, envelope);
  }

  notify(method: string, params?: JsonObject): void {
    this.#channel.send(notificationText(method, params), { method, ...(params && { params }) });
  }

  close(): Promise<void> {
    return this.#channel.close();
  }

  #receive(text: string, parsed?: unknown): void {
    let value = parsed;
    try {
      value ??= parse(text);
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
    if (text === undefined) this.#handlers.lost(new Error(shown, { cause: error }));
    this.#handlers.warn(shown);
  }

  #receiveOne(value: unknown, text?: string): void {
    const message = classify(value);
    switch (message.kind) {
      case 'request':
        return void this.#answer(message.request);
      case 'notification':
        return this.#notify(message.notification);
      case 'response':
        if (this.#handlers.response(message.response, text)) return;
        return this.#handlers.warn(`A response without a request: id ${JSON.stringify(message.response.id)}`);
      case 'invalid':
        return this.#refuse(invalidRequest, message.reason, message.id);
    }
  }

  // An exception in a listener must not stop the delivery of later messages.
  #notify(notification: Notification): void {
    const { method, params } = notification;
    if (params !== undefined && !isObject(params)) {
      return this.#handlers.warn(`"params" of the notification ${JSON.stringify(method)} must be an object`);
    }
    callSafely(
      () => this.#handlers.notification(notification),
      (error) =>
        this.#handlers.listenerFailed(
          `The listener of ${JSON.stringify(method)} has failed: ${stackOf(error)}`,
        ),
    );
  }

  get #answers(): boolean {
    return this.#handlers.answers?.() ?? true;
  }

  // Two sides that answer malformed messages could answer each other forever.
  #refuse(code: number, message: string, id?: Id): void {
    if (id === undefined || !this.#answers) this.#handlers.warn(message);
    else this.#channel.send(errorText(id, { code, message }), { id });
  }

  async #answer(request: Request): Promise<void> {
    const { id, method, params } = request;
    if (!this.#answers) {
      return this.#handlers.warn(
        `A request of the server was ignored, as this revision has none: ${JSON.stringify(method)}`,
      );
    }
    if (params !== undefined && !isObject(params)) {
      return this.#refuse(invalidParams, '"params" must be an object', id);
    }
    try {
      const result: unknown = await this.#handlers.request(request);
      if (!isObject(result)) throw new TypeError(`The answer to ${method} must be an object`);
      this.#channel.send(resultText(id, JSON.stringify(result)), { id });
    } catch (error) {
      const known = error instanceof RpcError ? error : { code: internalError, message: messageOf(error) };
      this.#channel.send(errorText(id, known), { id });
    }
  }
}
