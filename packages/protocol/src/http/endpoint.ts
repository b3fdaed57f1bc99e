import { isUtf8 } from 'node:buffer';
import type { Server } from '../define/server.ts';
import { internalError, invalidRequest, parseError, RpcError, stackOf } from '../jsonrpc/error.ts';
import { errorText, isObject, parse } from '../jsonrpc/message.ts';
import { unsupportedVersion } from '../revisions/codes.ts';
import { modern, versions } from '../revisions/table.ts';
import { standsAlone } from '../server/connection/request-meta.ts';
import type { Connection } from '../server/connection/connection.ts';
import { Runtime } from '../server/runtime.ts';
import { type Authorization, authorize, metadataReply } from './security/authorization.ts';
import { preflight, readableBy } from './security/cors.ts';
import { emptyReply, type HttpReply, type HttpRequest, jsonReply } from './wire/http-message.ts';
import { guard, type GuardOptions, refuse } from './security/host-and-origin.ts';
import { type HttpLimits, usualLimits } from './wire/limits.ts';
import { Sessions } from './sessions/session-store.ts';
import { SseEndpoint } from './legacy-sse/sse-endpoint.ts';
import { answerStateless } from './stateless/answer-request.ts';

export interface HttpOptions extends GuardOptions {
  /** The path of the endpoint; `/mcp` unless said otherwise. */
  readonly path?: string;
  /** Who may call; everybody who gets past the host and origin checks unless said otherwise. */
  readonly authorization?: Authorization;
  /** Serves HTTP+SSE of 2024-11-05 too, on these two paths. */
  readonly sse?: { readonly path: string; readonly postPath: string };
  readonly limits?: Partial<HttpLimits>;
  /** Hears what is wrong but has nobody to answer to. */
  readonly warn?: (message: string) => void;
}

/** Serves one MCP endpoint to all clients there are, whatever carries the requests. */
export class HttpEndpoint {
  readonly #runtime: Runtime;
  readonly #options: HttpOptions;
  readonly #limits: HttpLimits;
  readonly #path: string;
  readonly #warn: (message: string) => void;
  readonly #sessions: Sessions;
  readonly #sse: SseEndpoint | undefined;
  /** Connections of one request each, while it is being answered. */
  readonly #open = new Set<Connection>();
  #running = 0;
  #streams = 0;
  #closed = false;

  constructor(server: Server, options: HttpOptions = {}) {
    this.#runtime = Runtime.of(server);
    const { allowedHosts } = options;
    const hosts =
      allowedHosts instanceof Array ? allowedHosts.map((host) => host.toLowerCase()) : allowedHosts;
    this.#options = { ...options, ...(hosts && { allowedHosts: hosts }) };
    this.#limits = { ...usualLimits, ...options.limits };
    this.#path = options.path ?? '/mcp';
    this.#warn = options.warn ?? (() => {});
    this.#sessions = new Sessions(this.#runtime, { limits: this.#limits, warn: this.#warn });
    const { sse } = options;
    this.#sse = sse && new SseEndpoint(this.#runtime, sse.postPath, this.#limits, this.#warn);
  }

  get limits(): HttpLimits {
    return this.#limits;
  }

  /** Answers one HTTP request; never throws. */
  async answer(request: HttpRequest): Promise<HttpReply> {
    const refusal = guard(request, this.#options);
    if (refusal) return refusal;
    const origin = request.header('origin');
    return origin === undefined ? this.#answer(request) : readableBy(origin, await this.#answer(request));
  }

  async #answer(request: HttpRequest): Promise<HttpReply> {
    if (request.method === 'OPTIONS') return preflight(request);
    if (this.#closed) return refuse(503, 'This server is closing', { connection: 'close' });
    if (this.#running >= this.#limits.maxRequests) return tooMany('requests');
    this.#running++;
    try {
      return await this.#route(request);
    } catch (error) {
      this.#warn(`${request.method} ${request.path} failed: ${stackOf(error)}`);
      return jsonReply(500, errorText(undefined, { code: internalError, message: 'The server failed' }));
    } finally {
      this.#running--;
    }
  }

  /** Answers what has been asked, and ends every conversation and every stream. */
  async close(): Promise<void> {
    this.#closed = true;
    const { graceMs } = this.#limits;
    await Promise.all([
      ...[...this.#open].map((connection) => connection.finish(graceMs)),
      this.#sessions.close(graceMs),
      this.#sse?.close(graceMs),
    ]);
  }

  /** Opens a stream that lasts, if there is room for it. */
  async #lasting(open: () => HttpReply | Promise<HttpReply>): Promise<HttpReply> {
    if (this.#streams >= this.#limits.maxStreams) return tooMany('streams');
    let body: HttpReply['body'];
    this.#streams++;
    try {
      const reply = await open();
      body = reply.body;
      return reply;
    } finally {
      const closed = () => this.#streams--;
      if (body !== undefined && typeof body !== 'string') body.whenClosed(closed);
      else closed();
    }
  }

  #route(request: HttpRequest): HttpReply | Promise<HttpReply> {
    const { authorization, sse } = this.#options;
    const { path } = request;
    const metadata = authorization && metadataReply(path, this.#path, authorization);
    if (metadata) return metadata;
    const known = path === this.#path || path === sse?.path || path === sse?.postPath;
    if (!known) return emptyReply(404);
    return authorization
      ? this.#dispatchAuthorized(request, authorization)
      : this.#dispatch(request, undefined);
  }

  async #dispatchAuthorized(request: HttpRequest, authorization: Authorization): Promise<HttpReply> {
    const authorized = await authorize(request, authorization);
    if ('refusal' in authorized) return authorized.refusal;
    return this.#dispatch(request, authorized.grant.principal);
  }

  #dispatch(request: HttpRequest, principal: string | undefined): HttpReply | Promise<HttpReply> {
    const { method, path } = request;
    if (path !== this.#path) return this.#dispatchSse(request, principal);
    if (method === 'POST') return this.#post(request, principal);
    if (method === 'GET' || method === 'DELETE') return this.#inSession(request, principal);
    return notAllowed('POST, GET, DELETE, OPTIONS');
  }

  async #dispatchSse(request: HttpRequest, principal: string | undefined): Promise<HttpReply> {
    const { method, path } = request;
    const { sse } = this.#options;
    if (path === sse?.path && method === 'GET') return this.#lasting(() => this.#sse!.open(principal));
    if (path !== sse?.postPath || method !== 'POST') return notAllowed(path === sse?.path ? 'GET' : 'POST');
    const text = await this.#textOf(request);
    return typeof text === 'string' ? this.#sse!.post(request, text, principal) : text;
  }

  async #post(request: HttpRequest, principal: string | undefined): Promise<HttpReply> {
    const text = await this.#textOf(request);
    if (typeof text !== 'string') return text;
    let value: unknown;
    try {
      value = parse(text);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return jsonReply(400, errorText(undefined, error));
    }
    if (!this.#standsAlone(request, value)) return this.#postInSession(request, value, principal);
    const { keepAliveMs } = this.#limits;
    const options = { keepAliveMs, principal, warn: this.#warn, open: this.#open };
    const answer = () => answerStateless(this.#runtime, request, value, options);
    return value['method'] === 'subscriptions/listen' ? this.#lasting(answer) : answer();
  }

  #standsAlone(request: HttpRequest, value: unknown): value is { [key: string]: unknown } {
    if (!isObject(value)) return false;
    const { params } = value;
    const meta = isObject(params) ? params['_meta'] : undefined;
    if (isObject(meta) && standsAlone(meta)) return true;
    const version = request.header('mcp-protocol-version');
    return version === modern.version && value['method'] !== 'initialize';
  }

  async #postInSession(
    request: HttpRequest,
    value: unknown,
    principal: string | undefined,
  ): Promise<HttpReply> {
    if (isObject(value) && value['method'] === 'initialize') return this.#initialize(value, principal);
    const session = this.#sessionOf(request, principal);
    if ('status' in session) return session;
    if (Array.isArray(value) && !session.batches) {
      const message = 'Send one message at a time, not an array of them';
      return jsonReply(400, errorText(undefined, { code: invalidRequest, message }));
    }
    return session.post(value);
  }

  async #initialize(value: unknown, principal: string | undefined): Promise<HttpReply> {
    const session = this.#sessions.make(principal);
    if (!session) return refuse(503, 'Too many conversations at once', { 'retry-after': '60' });
    const reply = await session.post(value);
    if (session.open) this.#sessions.keep(session);
    else await session.close();
    return reply;
  }

  async #inSession(request: HttpRequest, principal: string | undefined): Promise<HttpReply> {
    const session = this.#sessionOf(request, principal);
    if ('status' in session) return session;
    if (request.method === 'DELETE') {
      await this.#sessions.end(session);
      return emptyReply(204);
    }
    const accept = request.header('accept') ?? '*/*';
    if (!/text\/event-stream|text\/\*|\*\/\*/.test(accept))
      return refuse(406, 'GET answers with text/event-stream');
    return this.#lasting(() => session.get(request));
  }

  #sessionOf(request: HttpRequest, principal: string | undefined) {
    const version = request.header('mcp-protocol-version');
    if (version !== undefined && !versions.includes(version)) {
      const data = { supported: versions, requested: version };
      const message = `Unsupported protocol version: "${version}"`;
      return jsonReply(400, errorText(undefined, { code: unsupportedVersion, message, data }));
    }
    const id = request.header('mcp-session-id');
    if (id === undefined) {
      const stateless = version === modern.version && request.method === 'DELETE';
      if (request.method === 'GET' || stateless) return notAllowed('POST');
      return refuse(400, `Name the session in Mcp-Session-Id, or send what ${modern.version} asks for`);
    }
    return this.#sessions.find(id, principal) ?? refuse(404, 'No such session; initialize a new one');
  }

  /** The body as text, or the answer that refuses it. */
  async #textOf(request: HttpRequest): Promise<string | HttpReply> {
    const type = request.header('content-type') ?? '';
    if (!/^application\/json\s*(;|$)/i.test(type)) return refuse(415, 'Send application/json');
    const { maxBodyBytes } = this.#limits;
    const body = await request.body(maxBodyBytes);
    if (!body) return refuse(413, `A message may have at most ${maxBodyBytes} bytes`);
    if (!isUtf8(body)) {
      return jsonReply(400, errorText(undefined, { code: parseError, message: 'A message must be UTF-8' }));
    }
    return decoder.decode(body);
  }
}

const decoder = new TextDecoder();

function notAllowed(allow: string): HttpReply {
  return emptyReply(405, { allow });
}

function tooMany(what: string): HttpReply {
  return refuse(503, `Too many ${what} at once`, { 'retry-after': '1' });
}
