import { type EndSignal, isObject, unref, within } from '@mcp/kit';
import type { Channel, Envelope, Receiver, Route } from '../../jsonrpc/channel.ts';
import { NotDelivered } from '../../jsonrpc/error.ts';
import { type Id, isId } from '../../jsonrpc/message.ts';
import { answerIn, parsed, resultIn } from './answers.ts';
import { Cancellation, withTimeout } from './cancellation.ts';
import { endpointAt } from './channel-exchange.ts';
import type { Exchange, ExchangeRequest, ExchangeResponse } from './exchange.ts';
import type { Fetch, FetchLayer } from './fetch.ts';
import { HttpError } from './http-error.ts';
import { httpRoute } from './http-route.ts';
import { defaultMaxMessageBytes, isEventStream, readEvents, readText, type StreamEnd } from './read-body.ts';
import { lowerCase, repeatableMethods, statelessHeaders } from './request-headers.ts';
import { retryDelay } from './retry-delay.ts';
import { shownBody } from './shown-body.ts';
import { whileUnavailable } from './while-unavailable.ts';

/** Options of a channel over HTTP. */
export interface HttpChannelOptions {
  /** Headers of every request, such as `authorization`. They are sent only to the origin of the URL. */
  readonly headers?: { readonly [name: string]: string };
  /** Makes the requests; defaults to `node:http`. Not for a server at a socket. */
  readonly fetch?: Fetch;
  /** A layer around the requests, for example with authorization. Not for a server at a socket. */
  readonly authorize?: FetchLayer;
  /** The maximum length of a message, in bytes; defaults to 64 MiB. */
  readonly maxMessageBytes?: number;
}

const sessionOver = 'The server has ended the session';

/** Milliseconds that the channel waits for the response to a notification. */
const notifyTimeoutMs = 5_000;
/** Maximum number of milliseconds that requests wait for the server to accept `notifications/initialized`. */
const initializedMs = 100;
const endTimeoutMs = 2_000;
/** Milliseconds after the response until the client closes a request's stream that the server leaves open. */
const answeredMs = 1_000;
/** Statuses of a GET that may succeed later. 409: the server has not noticed that the last stream ended. */
const passing = new Set([408, 409, 425, 429]);

/**
 * A client's channel to an endpoint of Streamable HTTP. Messages of a stateless revision name their version;
 * other messages belong to the session that `initialize` opens. The channel ends with its session.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export class HttpChannel implements Channel {
  readonly #url: string;
  readonly #headers: { readonly [name: string]: string };
  readonly #exchange: Exchange;
  readonly #maxBytes: number;
  readonly #open = new Map<Id, Cancellation>();
  readonly #closed = new AbortController();
  #receiver: Receiver | undefined;
  #session: string | undefined;
  #version: string | undefined;
  #ended = false;
  /** Whether the server has refused the token for the GET stream, or the login for this stream has failed. */
  #isUnauthorized = false;
  #retired = false;
  /** Settles when the server has accepted `notifications/initialized`, or after `initializedMs`. */
  #ready: Promise<unknown> | undefined;

  readonly http = true;
  readonly route: Route;
  readonly congested = false;

  constructor(url: string, options: HttpChannelOptions = {}) {
    const { headers = {}, maxMessageBytes } = options;
    const endpoint = endpointAt(url, options);
    this.#url = endpoint.url;
    this.route = httpRoute(url, () => this.#session);
    this.#headers = lowerCase(headers);
    this.#exchange = endpoint.exchange;
    this.#maxBytes = maxMessageBytes ?? defaultMaxMessageBytes;
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  send(text: string, envelope: Envelope = envelopeOf(text)): void {
    if (this.#closed.signal.aborted) return;
    const { id, method, params } = envelope;
    if (id !== undefined && method !== undefined) return void this.#request(id, text, envelope);
    if (method === 'notifications/cancelled') {
      const cancelled = params?.['requestId'];
      if (isId(cancelled)) this.#open.get(cancelled)?.abort();
      // Without a session, closing the stream of a request cancels it: this notification is not sent.
      if (this.#version === undefined) return;
    }
    const sent = this.#notify(text, envelope);
    if (method === 'notifications/initialized') {
      this.#ready = within(initializedMs, sent).finally(() => (this.#ready = undefined));
      void this.#ready.then(() => this.#listen());
    }
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  hold(): void {}

  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    await this.#ready;
    this.#abortAll();
    if (this.#session !== undefined && !this.#retired) {
      const headers = this.#sessionHeaders();
      const request = { method: 'DELETE', url: this.#url, headers } as const;
      await withTimeout(endTimeoutMs, (signal) => this.#exchange({ ...request, signal })).then(
        (response) => response.discard(),
        () => {},
      );
    }
    this.#end();
  }

  async #request(id: Id, text: string, envelope: Envelope): Promise<void> {
    const signal = new Cancellation();
    this.#open.set(id, signal);
    try {
      if (this.#ready) await this.#ready;
      const held = (until: Promise<unknown>) => this.#receiver?.held?.(id, until);
      const response = await this.#post(text, envelope, signal, held);
      if (this.#isUnauthorized && response.status < 400) {
        this.#isUnauthorized = false;
        void this.#listen(true);
      }
      if (isEventStream(response)) await this.#readStream(id, response, envelope, signal);
      else await this.#readBody(id, response, envelope);
    } catch (error) {
      if (!signal.aborted) this.#receiver?.failed?.(id, asError(error));
    } finally {
      this.#open.delete(id);
      if (this.#retired && this.#open.size === 0) this.#end(sessionOver);
    }
  }

  #abortAll(): void {
    this.#closed.abort();
    for (const signal of this.#open.values()) signal.abort();
  }

  /** Called when the server has ended the session: refuses new requests, but earlier ones may be answered. */
  #retire(): void {
    if (this.#retired) return;
    this.#retired = true;
    this.#receiver?.retired?.(sessionOver);
    if (this.#open.size === 0) this.#end(sessionOver);
  }

  async #readBody(id: Id, response: ExchangeResponse, envelope: Envelope): Promise<void> {
    const body = await readText(response, this.#maxBytes);
    if (this.#isSessionOver(response, envelope)) {
      this.#retire();
      throw new NotDelivered(sessionOver);
    }
    const answer = answerIn(parsed(body), id);
    if (answer === undefined) {
      const sent = [...Object.values(this.#headers), ...(response.added ?? [])];
      throw new HttpError(response.status, shownBody(body, sent));
    }
    this.#deliver(body, answer, envelope, response);
  }

  /** Reads the stream of a request; resumes it if it ends too early and its events have ids. */
  async #readStream(
    id: Id,
    first: ExchangeResponse,
    envelope: Envelope,
    signal: Cancellation,
  ): Promise<void> {
    let answered = false;
    let timer: NodeJS.Timeout | undefined;
    const take = (response: ExchangeResponse) =>
      readEvents(response, this.#maxBytes, ({ name, data }) => {
        if (data === '' || (name !== undefined && name !== 'message')) return;
        const value = parsed(data);
        const answer = answerIn(value, id);
        answered ||= answer !== undefined;
        if (answered) timer ??= unref(setTimeout(() => signal.abort(), answeredMs));
        this.#deliver(data, answer ?? value, envelope, first);
      });
    let end = await take(first);
    clearTimeout(timer);
    while (!answered && !signal.aborted && end.lastEventId !== undefined && this.#version !== undefined) {
      await retryDelay(end.retryMs, signal);
      if (signal.aborted) return;
      const next = await take(await this.#resume(end, signal));
      clearTimeout(timer);
      end = { ...end, ...next };
    }
    if (answered || signal.aborted) return;
    throw new Error('The stream ended without a response', { cause: 'error' in end ? end.error : undefined });
  }

  async #resume({ lastEventId }: StreamEnd, signal: EndSignal): Promise<ExchangeResponse> {
    const response = await whileUnavailable(() => this.#get(lastEventId, signal), signal);
    if (isEventStream(response)) return response;
    response.discard();
    throw new HttpError(response.status, 'The stream broke off, and the server does not resume it');
  }

  #deliver(text: string, value: unknown, { method }: Envelope, response: ExchangeResponse): void {
    if (method === 'initialize' && this.#version === undefined) {
      const version = resultIn(value)?.['protocolVersion'];
      if (typeof version === 'string') {
        this.#version = version;
        this.#session = response.header('mcp-session-id');
      }
    }
    this.#receiver?.message(text, value);
  }

  async #notify(text: string, envelope: Envelope): Promise<void> {
    const { signal: closed } = this.#closed;
    const post = (signal: EndSignal) => this.#post(text, envelope, signal);
    const send = () => withTimeout(notifyTimeoutMs, post, closed);
    try {
      // A handler of the server waits for an answer, which has no method.
      const response = await (envelope.method === undefined ? whileUnavailable(send, closed) : send());
      response.discard();
      if (this.#isSessionOver(response, envelope)) this.#retire();
    } catch {
      // A failed notification is not reported: if the connection is lost, the next request fails as well.
    }
  }

  /**
   * Reads the GET stream of a session, and opens it again whenever it ends, unless the server has no such
   * stream. `missed` tells whether notifications may have been sent while no stream was open.
   */
  async #listen(missed = false): Promise<void> {
    const { signal } = this.#closed;
    let end: StreamEnd = {};
    let isMissing = missed;
    while (!signal.aborted && !this.#retired) {
      try {
        const response = await this.#get(end.lastEventId, signal);
        if (!isEventStream(response)) {
          response.discard();
          this.#isUnauthorized = response.status === 401;
          if (response.status === 404 && this.#session !== undefined) this.#retire();
          // A server that cannot resume the stream may have another one.
          if (response.status === 400 && end.lastEventId !== undefined) end = {};
          // A server without a GET stream refuses the request for good; the other errors may be temporary.
          else if (response.status < 500 && !passing.has(response.status)) return;
        } else {
          // If the last stream had events with ids, the server sends the later events now: none is missed.
          if (isMissing && end.lastEventId === undefined) this.#receiver?.missed?.();
          end = { ...end, ...(await readEvents(response, this.#maxBytes, ({ data }) => this.#take(data))) };
        }
      } catch (error) {
        // Opens a lost stream again, but not after a failed login: only a request may begin another login.
        if (error instanceof Error && 'phase' in error) this.#isUnauthorized = true;
        if (this.#isUnauthorized) return;
      }
      isMissing = true;
      await retryDelay(end.retryMs, signal);
    }
  }

  #take(data: string): void {
    if (data !== '') this.#receiver?.message(data);
  }

  #isSessionOver({ status }: ExchangeResponse, { method }: Envelope): boolean {
    return status === 404 && this.#session !== undefined && method !== 'initialize';
  }

  #end(reason?: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#abortAll();
    this.#receiver?.ended(reason);
  }

  #post(
    text: string,
    envelope: Envelope,
    signal: EndSignal,
    held?: ExchangeRequest['held'],
  ): Promise<ExchangeResponse> {
    const headers = {
      ...this.#headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(statelessHeaders(envelope) ?? this.#sessionHeaders()),
    };
    const repeatable = repeatableMethods.has(envelope.method ?? '');
    const request = { method: 'POST', url: this.#url, headers, body: text, signal, repeatable } as const;
    return this.#exchange(held ? { ...request, held } : request);
  }

  #get(lastEventId: string | undefined, signal: EndSignal): Promise<ExchangeResponse> {
    const headers = {
      ...this.#sessionHeaders(),
      accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    };
    return this.#exchange({ method: 'GET', url: this.#url, headers, signal });
  }

  #sessionHeaders(): { [name: string]: string } {
    return {
      ...this.#headers,
      ...(this.#session !== undefined && { 'mcp-session-id': this.#session }),
      ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
    };
  }
}

/** Reads the envelope of a message from its text: its id, method and parameters, as far as it has them. */
function envelopeOf(text: string): Envelope {
  const message: unknown = JSON.parse(text);
  if (!isObject(message)) return {};
  const { id, method, params } = message;
  return {
    ...(isId(id) && { id }),
    ...(typeof method === 'string' && { method }),
    ...(isObject(params) && { params }),
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
