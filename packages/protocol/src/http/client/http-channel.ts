import type { Channel, Receiver } from '../../jsonrpc/channel.ts';
import { internalError, messageOf } from '../../jsonrpc/error.ts';
import { errorText, type Id, isId, isObject, type JsonObject } from '../../jsonrpc/message.ts';
import { metaKeys } from '../../revisions/meta-keys.ts';
import { EventParser } from '../wire/event-parser.ts';
import { encodeHeaderValue } from '../wire/header-value.ts';
import type { Fetch, FetchLayer } from './fetch.ts';

export interface HttpChannelOptions {
  /** Headers of every request, such as `authorization`. */
  readonly headers?: { readonly [name: string]: string };
  /** Makes the requests; defaults to the platform's own `fetch`. */
  readonly fetch?: Fetch;
  /** Wraps `fetch`, for example with authorization. */
  readonly authorize?: FetchLayer;
}

const usualRetryMs = 1_000;

/**
 * A client's channel to an endpoint of Streamable HTTP, in whichever revision the messages are: stateless
 * ones say so themselves, others belong to the session that `initialize` opened.
 */
export class HttpChannel implements Channel {
  readonly #url: string;
  readonly #headers: HttpChannelOptions['headers'];
  readonly #fetch: Fetch;
  readonly #open = new Map<Id, AbortController>();
  readonly #closed = new AbortController();
  #receiver: Receiver | undefined;
  #session: string | undefined;
  #version: string | undefined;
  /** Told messages leave one after the other, before anything that is asked later. */
  #told: Promise<unknown> = Promise.resolve();

  readonly congested = false;

  constructor(url: string, { headers, fetch = globalThis.fetch, authorize }: HttpChannelOptions = {}) {
    this.#url = url;
    this.#headers = headers;
    this.#fetch = authorize?.(fetch) ?? fetch;
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  send(text: string): void {
    if (this.#closed.signal.aborted) return;
    const message: unknown = JSON.parse(text);
    if (!isObject(message)) return void this.#post(text, {}, undefined);
    const { id, method, params } = message;
    if (method === 'notifications/cancelled' && this.#version === undefined) return this.#cancel(params);
    if (isId(id) && method !== undefined) {
      const abort = new AbortController();
      this.#open.set(id, abort);
      const told = this.#told;
      void told.then(() => this.#ask(id, text, message, abort.signal)).finally(() => this.#open.delete(id));
      return;
    }
    this.#told = this.#told.then(() => this.#post(text, message, undefined)).catch(() => undefined);
    if (method === 'notifications/initialized') this.#told = this.#told.then(() => void this.#listen());
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  hold(): void {}

  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    await this.#told;
    if (this.#session !== undefined) {
      const request = new Request(this.#url, { method: 'DELETE', headers: this.#headersOf({}) });
      await this.#fetch(request).catch(() => undefined);
    }
    this.#closed.abort();
    this.#receiver?.ended();
  }

  async #ask(id: Id, text: string, message: JsonObject, signal: AbortSignal): Promise<void> {
    let answered = false;
    const deliver = (answer: string) => {
      answered ||= answers(answer, id);
      if (message['method'] === 'initialize') this.#version ??= versionIn(answer);
      this.#receiver?.message(answer);
    };
    try {
      const response = await this.#post(text, message, signal);
      if (message['method'] === 'initialize')
        this.#session = response.headers.get('mcp-session-id') ?? undefined;
      if (isStream(response)) {
        const resumed = await this.#readStream(response, deliver);
        // The server let the stream go before it had its answer, and can be asked for the rest.
        let event = resumed;
        while (!answered && event.id !== undefined && !this.#closed.signal.aborted) {
          await delay(event.retryMs ?? usualRetryMs);
          event = { ...event, ...(await this.#readStream(await this.#get(event.id), deliver)) };
        }
        if (!answered && !signal.aborted) throw new Error('The stream ended without an answer');
        return;
      }
      const body = await response.text();
      if (answers(body, id)) return deliver(body);
      throw new Error(`HTTP ${response.status}: ${reasonIn(body)}`);
    } catch (error) {
      if (answered || signal.aborted || this.#closed.signal.aborted) return;
      deliver(errorText(id, { code: internalError, message: messageOf(error) }));
    }
  }

  /** Hears what belongs to no request, for as long as the server has a stream for it. */
  async #listen(): Promise<void> {
    let last: { id?: string; retryMs?: number } = {};
    while (!this.#closed.signal.aborted) {
      try {
        const response = await this.#get(last.id);
        if (!response.ok) return;
        last = { ...last, ...(await this.#readStream(response, (text) => this.#receiver?.message(text))) };
      } catch {
        // A lost connection is tried again.
      }
      await delay(last.retryMs ?? usualRetryMs);
    }
  }

  #cancel(params: unknown): void {
    const { requestId } = isObject(params) ? params : {};
    if (isId(requestId)) this.#open.get(requestId)?.abort();
  }

  async #post(text: string, message: JsonObject, signal: AbortSignal | undefined): Promise<Response> {
    const request = new Request(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...this.#headersOf(message) },
      body: text,
      signal: signal ? AbortSignal.any([signal, this.#closed.signal]) : this.#closed.signal,
    });
    return this.#fetch(request);
  }

  #get(lastEventId: string | undefined): Promise<Response> {
    const headers = {
      ...this.#headersOf({}),
      accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    };
    return this.#fetch(new Request(this.#url, { headers, signal: this.#closed.signal }));
  }

  #headersOf({ method, params }: JsonObject): { [name: string]: string } {
    const meta = isObject(params) ? params['_meta'] : undefined;
    const stated = isObject(meta) ? meta[metaKeys.protocolVersion] : undefined;
    const headers: { [name: string]: string } = {
      accept: 'application/json, text/event-stream',
      ...this.#headers,
    };
    if (typeof stated === 'string') {
      headers['mcp-protocol-version'] = stated;
      headers['mcp-method'] = String(method);
      const { name, uri } = params as JsonObject;
      const subject = method === 'resources/read' ? uri : name;
      if (typeof subject === 'string') headers['mcp-name'] = encodeHeaderValue(subject);
      return headers;
    }
    if (this.#session !== undefined) headers['mcp-session-id'] = this.#session;
    if (this.#version !== undefined) headers['mcp-protocol-version'] = this.#version;
    return headers;
  }

  async #readStream(
    response: Response,
    deliver: (text: string) => void,
  ): Promise<{ id?: string; retryMs?: number }> {
    const parser = new EventParser();
    const decoder = new TextDecoder();
    let id: string | undefined;
    for await (const chunk of response.body ?? []) {
      for (const event of parser.read(decoder.decode(chunk, { stream: true }))) {
        id = event.id ?? id;
        if (event.data !== '') deliver(event.data);
      }
    }
    return {
      ...(id !== undefined && { id }),
      ...(parser.retryMs !== undefined && { retryMs: parser.retryMs }),
    };
  }
}

function isStream(response: Response): boolean {
  return (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
}

function answers(text: string, id: Id): boolean {
  const message = parsed(text);
  const messages = Array.isArray(message) ? message : [message];
  return messages.some((each) => isObject(each) && each['id'] === id && each['method'] === undefined);
}

function versionIn(text: string): string | undefined {
  const message = parsed(text);
  const result = isObject(message) ? message['result'] : undefined;
  const version = isObject(result) ? result['protocolVersion'] : undefined;
  return typeof version === 'string' ? version : undefined;
}

function reasonIn(text: string): string {
  const message = parsed(text);
  const error = isObject(message) ? message['error'] : undefined;
  return isObject(error) ? String(error['message']) : text.slice(0, 200);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
