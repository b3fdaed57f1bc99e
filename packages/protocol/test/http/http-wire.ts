import { request as nodeRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Server } from '@mcp/protocol';
import { type HttpListener, type ListenOptions, serveHttp } from '../../src/http.ts';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { initialize, metaOf, type Speaker, stateless } from '../requirements/wire.ts';
import { EventReader } from './events.ts';

export type Headers = { readonly [name: string]: string };

/** The headers that every message of a client should have. */
export const basics: Headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** The headers that 2026-07-28 wants a message to have. */
export function headersOf(message: JsonObject): Headers {
  const { method, params = {} } = message as { method: string; params?: JsonObject };
  const name = params['name'] ?? params['uri'];
  return {
    ...basics,
    'mcp-protocol-version': stateless,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  };
}

/** A server that listens on the loopback, and a client of one revision that can send any message. */
export class HttpWire {
  readonly url: string;
  readonly version: string;
  session: string | undefined;
  readonly #listener: HttpListener;
  readonly #speaker: Speaker;
  #lastId = 0;

  private constructor(listener: HttpListener, version: string, speaker: Speaker) {
    this.url = listener.url;
    this.#listener = listener;
    this.version = version;
    this.#speaker = speaker;
  }

  /** Serves and connects, with the handshake where the revision has one. */
  static async open(
    server: Server,
    version: string,
    options: ListenOptions = {},
    speaker: Speaker = {},
    headers: Headers = {},
  ): Promise<HttpWire> {
    const wire = new HttpWire(await serveHttp(server, options), version, speaker);
    if (version !== stateless) await wire.handshake(headers);
    return wire;
  }

  /** A client of a server that listens already, without a handshake. */
  static to(listener: HttpListener, version: string): HttpWire {
    return new HttpWire(listener, version, {});
  }

  /** Serves, and continues the session of another server without a handshake. */
  static async continuing(server: Server, other: HttpWire, options: ListenOptions = {}): Promise<HttpWire> {
    const wire = new HttpWire(await serveHttp(server, options), other.version, {});
    wire.session = other.session;
    return wire;
  }

  async handshake(headers: Headers = {}): Promise<Response> {
    const response = await this.post(initialize('handshake', this.version, this.#speaker.capabilities), {
      ...basics,
      ...headers,
    });
    await response.clone().text();
    this.session = response.headers.get('mcp-session-id') ?? undefined;
    await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { ...this.headers, ...headers });
    return response;
  }

  /** The headers of a conversation. */
  get headers(): Headers {
    return {
      ...basics,
      ...(this.session !== undefined && { 'mcp-session-id': this.session }),
      ...(this.version >= '2025-06-18' && { 'mcp-protocol-version': this.version }),
    };
  }

  /** A request as the revision wants it. */
  request(method: string, params: JsonObject = {}, meta: JsonObject = {}): JsonObject & { id: number } {
    const _meta = { ...(this.version === stateless && metaOf(this.#speaker)), ...meta };
    const withMeta = Object.keys(_meta).length > 0 ? { ...params, _meta } : params;
    return { jsonrpc: '2.0', id: ++this.#lastId, method, params: withMeta };
  }

  /** Posts text as it is, or a value as JSON. */
  post(message: unknown, headers: Headers, signal?: AbortSignal): Promise<Response> {
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    return fetch(this.url, { method: 'POST', headers, body, ...(signal && { signal }) });
  }

  /** Posts a message with the headers that the revision wants, and those given. */
  send(message: JsonObject, more: Headers = {}, signal?: AbortSignal): Promise<Response> {
    const headers = this.version === stateless ? headersOf(message) : this.headers;
    return this.post(message, { ...headers, ...more }, signal);
  }

  /** Sends a request and gives its response. */
  ask(method: string, params?: JsonObject, more?: Headers): Promise<Response> {
    return this.send(this.request(method, params), more);
  }

  /** Calls a tool and gives the response. */
  call(name: string, args: JsonObject = {}, more?: Headers): Promise<Response> {
    return this.ask('tools/call', { name, arguments: args }, more);
  }

  /** Opens the stream for messages that belong to no request, or resumes a stream. */
  get(more: Headers = {}, signal?: AbortSignal): Promise<Response> {
    const headers = { ...this.headers, accept: 'text/event-stream', ...more };
    return fetch(this.url, { headers, ...(signal && { signal }) });
  }

  delete(more: Headers = {}): Promise<Response> {
    return fetch(this.url, { method: 'DELETE', headers: { ...this.headers, ...more } });
  }

  close(): Promise<void> {
    return this.#listener.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** The one message a response has, as JSON or at the end of its stream. */
export async function messageOf(response: Response): Promise<JsonObject> {
  if (response.headers.get('content-type') === 'application/json')
    return (await response.json()) as JsonObject;
  const events = (await new EventReader(response).rest()).filter(({ data }) => data);
  return JSON.parse(events.at(-1)!.data!) as JsonObject;
}

/** Status and error of a response. */
export async function refusal(response: Response): Promise<readonly [status: number, error: unknown]> {
  const body = await response.text();
  return [response.status, body === '' ? undefined : (JSON.parse(body) as JsonObject)['error']];
}

/** Sends a request as `fetch` may not: with any headers, names and values one after the other. */
export async function raw(
  url: string,
  { method = 'POST', headers, body }: { method?: string; headers: readonly string[]; body?: string },
): Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; text: string }> {
  return new Promise((resolve, reject) => {
    const host = headers.some((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
    const all = [...(host ? [] : ['host', new URL(url).host]), ...headers];
    const sent = nodeRequest(url, { method, headers: all, agent: false }, (response) => {
      text(response).then(
        (body) => resolve({ status: response.statusCode, headers: response.headers, text: body }),
        reject,
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
