import { isUtf8 } from 'node:buffer';
import type { Server } from '../define/server.ts';
import { internalError, parseError, RpcError, stackOf } from '../jsonrpc/error.ts';
import {
  classifyIncoming,
  errorText,
  type Incoming,
  isObject,
  type Message,
  parse,
} from '../jsonrpc/message.ts';
import { quote } from '../jsonrpc/quote.ts';
import { safeWarn } from '../jsonrpc/safe-warn.ts';
import { unsupportedVersion } from '../revisions/codes.ts';
import { modern, versions } from '../revisions/table.ts';
import { noBatches } from '../server/connection/batch.ts';
import { standsAlone } from '../server/connection/request-meta.ts';
import type { Connection } from '../server/connection/connection.ts';
import { Runtime } from '../server/runtime.ts';
import { type Authorization, authorize, type Grant, metadataReply } from './security/authorization.ts';
import { preflight, readableBy } from './security/cors.ts';
import { emptyReply, type HttpReply, type HttpRequest, jsonReply } from './wire/http-message.ts';
import { guard, type GuardOptions, refuse } from './security/host-and-origin.ts';
import { type HttpLimits, defaultLimits } from './wire/limits.ts';
import { type Delivery, UnreadAnswers } from './wire/unread-answers.ts';
import { Sessions } from './sessions/session-store.ts';
import { SseEndpoint } from './legacy-sse/sse-endpoint.ts';
import { answerStateless } from './stateless/answer-request.ts';

/** Options of an endpoint, also inside an existing HTTP server. */
export interface HttpOptions extends GuardOptions {
  /** The path of the endpoint. Default: `/mcp`. */
  readonly path?: string;
  /** Requires tokens. Default: all requests with an allowed host and origin are served. */
  readonly authorization?: Authorization;
  /** Serves HTTP+SSE of 2024-11-05 too, on these two paths. */
  readonly sse?: { readonly path: string; readonly postPath: string };
  /** The limits of the endpoint; those that are not given have their defaults. */
  readonly limits?: Partial<HttpLimits>;
  /** Called with a warning that cannot be sent to any client. Default: none. */
  readonly warn?: (message: string) => void;
}

/** One MCP endpoint for all its clients, independent of the HTTP server. */
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
  readonly #unread = new UnreadAnswers();
  #running = 0;
  #streams = 0;
  #closed = false;

  constructor(server: Server, options: HttpOptions = {}) {
    this.#runtime = Runtime.of(server);
    const { allowedHosts } = options;
    const hosts =
      allowedHosts instanceof Array ? allowedHosts.map((host) => host.toLowerCase()) : allowedHosts;
    this.#options = { ...options, ...(hosts && { allowedHosts: hosts }) };
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#path = options.path ?? '/mcp';
    this.#warn = options.warn ? safeWarn(options.warn) : () => {};
    this.#sessions = new Sessions(this.#runtime, { limits: this.#limits, warn: this.#warn });
    const { sse } = options;
    this.#sse = sse && new SseEndpoint(this.#runtime, sse.postPath, this.#limits, this.#warn);
  }

  /** Options for the delivery of the answer to a request. */
  deliveryTo(request: HttpRequest): Delivery {
    return { stalledMs: this.#limits.stalledMs, unread: this.#unread, client: clientOf(request) };
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
    const { maxUnreadBytes, maxUnreadBytesPerClient } = this.#limits;
    if (
      this.#unread.isOver(clientOf(request), maxUnreadBytesPerClient) ||
      !this.#unread.makeRoom(maxUnreadBytes)
    ) {
      return tooMany('unread answers');
    }
    this.#running++;
    try {
      return await this.#route(request);
    } catch (error) {
      this.#warn(`${request.method} ${request.path} failed: ${stackOf(error)}`);
      return jsonReply(500, errorText(undefined, { code: internalError, message: 'Internal server error' }));
    } finally {
      this.#running--;
    }
  }

  /** Answers running requests, and ends every session and every stream. */
  async close(): Promise<void> {
    this.#closed = true;
    const { graceMs } = this.#limits;
    await Promise.all([
      ...[...this.#open].map((connection) => connection.finish(graceMs)),
      this.#sessions.close(graceMs),
      this.#sse?.close(graceMs),
    ]);
  }

  /** Opens a long-lived stream, unless the limit is reached. */
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
    if (!known) return refuse(404, `Nothing is served at ${quote(path)}; the endpoint is at "${this.#path}"`);
    return authorization
      ? this.#dispatchAuthorized(request, authorization)
      : this.#dispatch(request, undefined);
  }

  async #dispatchAuthorized(request: HttpRequest, authorization: Authorization): Promise<HttpReply> {
    const authorized = await authorize(request, authorization);
    if ('refusal' in authorized) return authorized.refusal;
    return this.#dispatch(request, authorized.grant);
  }

  #dispatch(request: HttpRequest, grant: Grant | undefined): HttpReply | Promise<HttpReply> {
    const { method, path } = request;
    if (path !== this.#path) return this.#dispatchSse(request, grant?.principal);
    if (method === 'POST') return this.#post(request, grant);
    if (method === 'GET' || method === 'DELETE') return this.#inSession(request, grant?.principal);
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

  async #post(request: HttpRequest, grant: Grant | undefined): Promise<HttpReply> {
    const text = await this.#textOf(request);
    if (typeof text !== 'string') return text;
    let value: unknown;
    try {
      value = parse(text);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return jsonReply(400, errorText(undefined, error));
    }
    const incoming = classifyIncoming(value, text);
    if (!isStateless(request, incoming)) return this.#postInSession(request, incoming, grant);
    const { keepAliveMs } = this.#limits;
    const principal = grant?.principal;
    const options = { keepAliveMs, principal, warn: this.#warn, open: this.#open };
    const answer = () => answerStateless(this.#runtime, request, incoming, options);
    return methodOf(incoming) === 'subscriptions/listen' ? this.#lasting(answer) : answer();
  }

  async #postInSession(
    request: HttpRequest,
    incoming: Incoming,
    grant: Grant | undefined,
  ): Promise<HttpReply> {
    if (methodOf(incoming) === 'initialize') return this.#initialize(request, incoming, grant);
    const isBatch = incoming.kind === 'batch';
    if (isBatch && request.header('mcp-session-id') === undefined) return refuse(400, noBatches);
    const session = this.#sessionOf(request, grant?.principal);
    if ('status' in session) return session;
    return isBatch && !session.batches ? refuse(400, noBatches) : session.post(incoming);
  }

  async #initialize(request: HttpRequest, incoming: Incoming, grant: Grant | undefined): Promise<HttpReply> {
    const session = this.#sessions.make(grant, request.address);
    if (!session) return refuse(503, 'Too many sessions at once', { 'retry-after': '60' });
    const reply = await session.post(incoming);
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
    if (!accepts(request, 'text/event-stream')) return refuse(406, 'GET answers with text/event-stream');
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

  /** The body as text, or the response that refuses it. */
  async #textOf(request: HttpRequest): Promise<string | HttpReply> {
    const type = request.header('content-type') ?? '';
    if (!/^application\/json\s*(;|$)/i.test(type)) return refuse(415, 'Send application/json');
    const encoding = request.header('content-encoding') ?? 'identity';
    if (encoding.toLowerCase() !== 'identity') {
      return refuse(415, `Send the body without Content-Encoding, not in ${quote(encoding)}`, {
        'accept-encoding': 'identity',
      });
    }
    if (!accepts(request, 'application/json') && !accepts(request, 'text/event-stream')) {
      return refuse(406, 'POST answers with application/json or text/event-stream');
    }
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

/** The session of a request, or else its connection, to which the unread bytes of its answer are counted. */
function clientOf(request: HttpRequest): unknown {
  return request.header('mcp-session-id') ?? request.connection;
}

function methodOf(incoming: Incoming): string | undefined {
  if (incoming.kind === 'request') return incoming.request.method;
  return incoming.kind === 'notification' ? incoming.notification.method : undefined;
}

/**
 * Whether a message belongs to no session: it names the stateless revision, in its `_meta` or in the headers.
 */
function isStateless(request: HttpRequest, incoming: Incoming): incoming is Message {
  if (incoming.kind === 'batch') return false;
  if (incoming.kind === 'request' || incoming.kind === 'notification') {
    const { params } = incoming.kind === 'request' ? incoming.request : incoming.notification;
    const meta = isObject(params) ? params['_meta'] : undefined;
    if (isObject(meta) && standsAlone(meta)) return true;
  }
  const version = request.header('mcp-protocol-version');
  return version === modern.version && methodOf(incoming) !== 'initialize';
}

/** Whether the client accepts a media type; without `Accept` it accepts all. */
function accepts(request: HttpRequest, type: string): boolean {
  const accept = request.header('accept');
  if (accept === undefined || accept.includes('*/*')) return true;
  const [family] = type.split('/');
  return accept.toLowerCase().includes(type) || accept.toLowerCase().includes(`${family}/*`);
}

function notAllowed(allow: string): HttpReply {
  return emptyReply(405, { allow });
}

function tooMany(what: string): HttpReply {
  return refuse(503, `Too many ${what} at once`, { 'retry-after': '1' });
}
