import { within } from '@mcp/kit';
import type { Channel, Envelope, Receiver, Route } from '../../jsonrpc/channel.ts';
import type { Id } from '../../jsonrpc/message.ts';
import { endpointAt } from './channel-exchange.ts';
import type { Exchange } from './exchange.ts';
import type { HttpChannelOptions } from './http-channel.ts';
import { HttpError } from './http-error.ts';
import { httpRoute } from './http-route.ts';
import { defaultMaxMessageBytes, isEventStream, readEvents } from './read-body.ts';
import { lowerCase } from './request-headers.ts';

/**
 * A client's channel to a server of HTTP+SSE: one stream for the server's messages, and a URL for POST
 * requests. The server sends this URL as an event of the stream.
 * @see https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
export class SseChannel implements Channel {
  readonly #url: string;
  readonly #headers: { readonly [name: string]: string };
  readonly #exchange: Exchange;
  readonly #maxBytes: number;
  readonly #closed = new AbortController();
  #receiver: Receiver | undefined;
  /** Messages that are sent once the server has sent the URL for POST requests. */
  #waiting: (readonly [text: string, id: Id | undefined])[] = [];
  #postUrl: string | undefined;
  /** Settles when all messages so far are sent. Each message is sent after the one before it. */
  #sent: Promise<void> = Promise.resolve();
  #ended = false;

  readonly congested = false;
  readonly route: Route;

  constructor(url: string, options: HttpChannelOptions = {}) {
    const { headers = {}, maxMessageBytes } = options;
    const endpoint = endpointAt(url, options);
    this.#url = endpoint.url;
    this.route = httpRoute(url);
    this.#headers = lowerCase(headers);
    this.#exchange = endpoint.exchange;
    this.#maxBytes = maxMessageBytes ?? defaultMaxMessageBytes;
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver;
    void this.#listen();
  }

  send(text: string, { id, method }: Envelope = {}): void {
    if (this.#closed.signal.aborted) return;
    const request = method === undefined ? undefined : id;
    if (this.#postUrl === undefined) this.#waiting.push([text, request]);
    else this.#post(this.#postUrl, text, request);
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  hold(): void {}

  async close(): Promise<void> {
    this.#end();
    await Promise.resolve();
  }

  #post(url: string, body: string, id: Id | undefined): void {
    const headers = { ...this.#headers, 'content-type': 'application/json' };
    const { signal } = this.#closed;
    const send = async () => {
      try {
        const response = await this.#exchange({
          method: 'POST',
          url,
          headers,
          body,
          signal,
          held: this.#held,
        });
        response.discard();
        if (response.status >= 400) throw new HttpError(response.status, 'The server refused the message');
      } catch (error) {
        if (id !== undefined && error instanceof Error) this.#receiver?.failed?.(id, error);
      }
    };
    // A POST that gets no response delays later messages for `postTimeoutMs` at most.
    this.#sent = this.#sent.then(() => within(postTimeoutMs, send(), { signal: signal, unref: true }));
  }

  async #listen(): Promise<void> {
    const { signal } = this.#closed;
    try {
      const headers = { ...this.#headers, accept: 'text/event-stream' };
      const response = await this.#exchange({
        method: 'GET',
        url: this.#url,
        headers,
        signal,
        held: this.#held,
      });
      if (!isEventStream(response)) {
        response.discard();
        throw new HttpError(response.status, 'expected text/event-stream');
      }
      await readEvents(response, this.#maxBytes, ({ name, data }) => {
        if (data === '') return;
        if (name === 'endpoint') this.#useEndpoint(data);
        else if (name === undefined || name === 'message') this.#receiver?.message(data);
      });
      this.#end();
    } catch (error) {
      if (!(error instanceof Error)) this.#end(String(error));
      else this.#end('phase' in error ? error : error.message);
    }
  }

  /** Sets the URL of POST requests, which carry credentials: a URL of another origin ends the channel. */
  #useEndpoint(data: string): void {
    const url = URL.canParse(data, this.#url) ? new URL(data, this.#url) : undefined;
    if (url?.origin !== new URL(this.#url).origin) {
      return this.#end(
        `Invalid endpoint of the server: ${JSON.stringify(data.slice(0, 200))}; expected a URL of its own origin`,
      );
    }
    this.#postUrl = url.href;
    for (const [text, id] of this.#waiting.splice(0)) this.#post(url.href, text, id);
  }

  /** All responses come over one stream, so a login suspends the timeouts of all requests. */
  readonly #held = (until: Promise<unknown>): void => this.#receiver?.held?.(undefined, until);

  #end(reason?: string | Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#closed.abort();
    this.#receiver?.ended(reason);
  }
}

const postTimeoutMs = 5_000;
