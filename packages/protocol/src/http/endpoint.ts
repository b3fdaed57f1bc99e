import { isUtf8 } from 'node:buffer';
import { isObject, messageOf, pause, safeWarn, stackOf } from '@mcp/kit';
import { type Caller, type Sender, unknownSender } from '../define/caller.ts';
import type { Server } from '../define/server.ts';
import { internalError, parseError, RpcError } from '../jsonrpc/error.ts';
import { classifyIncoming, errorText, type Incoming, type Message, parse } from '../jsonrpc/message.ts';
import { quote } from '../jsonrpc/quote.ts';
import { unsupportedVersion } from '../revisions/codes.ts';
import { modern, versions } from '../revisions/table.ts';
import { noBatches } from '../server/connection/batch.ts';
import { type Handshake, handshakeIn } from '../server/connection/handshake.ts';
import { paramsOf, standsAlone } from '../server/connection/request-meta.ts';
import type { Connection } from '../server/connection/connection.ts';
import { Runtime } from '../server/runtime.ts';
import {
  type Authorization,
  authorize,
  insufficientScope,
  metadataReply,
  refuseNoPrincipal,
  unavailable,
} from './security/authorization.ts';
import { isUnavailable } from './security/verify.ts';
import { admit, type Admission } from './security/required-scopes.ts';
import { type Access, StreamToken } from './security/stream-token.ts';
import { preflight, readableBy } from './security/cors.ts';
import {
  emptyReply,
  type HttpReply,
  type HttpRequest,
  jsonReply,
  refuse,
  type Route,
  tooMany,
} from './wire/http-message.ts';
import { allowing, guard, type GuardOptions } from './security/host-and-origin.ts';
import type { EventStream } from './wire/event-stream.ts';
import { type HttpLimits, limitsOf } from './wire/limits.ts';
import { type Delivery, UnreadAnswers } from './wire/unread-answers.ts';
import { cardDocuments, type ServerCard } from './discovery/server-card.ts';
import { clientOf, local } from './shares/client-key.ts';
import { Probes } from './operation/probes.ts';
import type { Gauges } from './operation/metrics.ts';
import { noRoom } from './shares/make-room.ts';
import { ListeningStreams } from './shares/streams.ts';
import type { EndedSessions } from './sessions/ended-sessions.ts';
import type { Session } from './sessions/session.ts';
import { SessionSeal } from './sessions/session-seal.ts';
import { type OpenRequest, Sessions } from './sessions/session-store.ts';
import { SharedSessions } from './sessions/shared/shared-sessions.ts';
import {
  isStoreUnavailable,
  type SharedStore,
  type StoreUnavailable,
  unavailableText,
} from '../state/shared-store.ts';
import { SseEndpoint } from './legacy-sse/sse-endpoint.ts';
import { answerStateless } from './stateless/answer-request.ts';

/** Options of an endpoint that listens by itself or is mounted in an existing HTTP server. */
export interface HttpOptions extends GuardOptions {
  /** The path of the endpoint. Default: `/mcp`. */
  readonly path?: string;
  /** Requires tokens. Default: no token is required. */
  readonly authorization?: Authorization;
  /**
   * The names of the request headers that handlers get in `call.client.headers`. `authorization` is refused,
   * because no handler gets the token. Default: none.
   */
  readonly passHeaders?: readonly string[];
  /** Also serves the transport HTTP+SSE of revision 2024-11-05, on these two paths. Default: not served. */
  readonly sse?: { readonly path: string; readonly postPath: string };
  /**
   * Publishes a card of the server at `<path>/server-card`, and a catalog with it at
   * `/.well-known/ai-catalog.json`, to everybody: an experimental extension. Default: neither.
   */
  readonly card?: ServerCard;
  /**
   * Seals what `initialize` decides into the session ids of revisions up to 2025-11-25, with the `stateKey`
   * of the server. Each process with this key then serves the ordinary requests of a session that began in
   * another process, without a store. Subscriptions, open streams and questions to the client stay in one
   * process. Without `shared`, not for a server with `contextFor`. Default: false; a session lives in one
   * process.
   */
  readonly sealedSessions?: boolean;
  /**
   * Where sessions are stored that clients have ended, until their ids expire, so that other processes refuse
   * these ids too. For `sealedSessions`. Default: in the memory of this process.
   */
  readonly endedSessions?: EndedSessions;
  /**
   * What the processes of this server share: `connectRedis()` of `@mcp/redis`. With it, the sessions are
   * sealed, and all of a session works at each process: streams are resumed, answers reach the handlers that
   * wait, and subscriptions, log levels, cancellations and the ends of sessions are known. Default: nothing.
   */
  readonly shared?: SharedStore;
  /**
   * Answers the probes of orchestrators and load balancers to everybody, with a status alone: `/healthz`
   * while the process answers; `/readyz` unless it drains, or cannot reach what it shares. Default: false.
   */
  readonly health?: boolean;
  /** The limits of the endpoint. A limit that is not given has its default. */
  readonly limits?: Partial<HttpLimits>;
  /** Called with a warning that cannot be sent to any client. Default: such warnings are dropped. */
  readonly onWarning?: (message: string) => void;
}

/** One MCP endpoint for all its clients. An adapter connects it to Node's HTTP server or to the fetch API. */
export class HttpEndpoint {
  readonly #runtime: Runtime;
  readonly #options: HttpOptions;
  readonly #limits: HttpLimits;
  readonly #path: string;
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #cards: ReadonlyMap<string, (method: string) => HttpReply>;
  readonly #warn: (message: string) => void;
  readonly #sessions: Sessions;
  readonly #sse: SseEndpoint | undefined;
  /** The connections of the stateless requests that are being answered: each request has its own. */
  readonly #open = new Set<Connection>();
  readonly #unread = new UnreadAnswers();
  readonly #streams: ListeningStreams;
  readonly #probes: Probes;
  #running = 0;
  #nextWarningAt = 0;
  #closed = false;

  constructor(server: Server, options: HttpOptions = {}) {
    this.#runtime = Runtime.of(server);
    const { allowedHosts } = options;
    const hosts =
      allowedHosts instanceof Array ? allowedHosts.map((host) => host.toLowerCase()) : allowedHosts;
    const passHeaders = options.passHeaders?.map((name) => name.toLowerCase());
    if (passHeaders?.includes('authorization'))
      throw new Error(
        '`passHeaders` must not name "authorization": handlers get `call.caller`, not the token',
      );
    if (options.authorization?.verify.dpop && !options.authorization.metadata)
      throw new Error(
        '`authorization` has no `metadata`, which DPoP needs: clients prove their keys for the URL `metadata.resource`',
      );
    if (options.authorization) refuseNoPrincipal(options.authorization);
    const guarded = { ...options, ...(hosts && { allowedHosts: hosts }) };
    const { metadata, routes } = options.authorization ?? {};
    this.#options = {
      ...guarded,
      ...(metadata && routes && allowing(metadata.resource, guarded)),
      ...(passHeaders && { passHeaders }),
    };
    this.#routes = new Map(Object.entries(routes ?? {}));
    this.#limits = limitsOf(options.limits);
    this.#streams = new ListeningStreams(this.#limits.maxStreams);
    this.#probes = new Probes(options.shared);
    this.#path = options.path ?? '/mcp';
    this.#cards = options.card ? cardDocuments(options.card, server.definition, this.#path) : new Map();
    this.#warn = options.onWarning ? safeWarn(options.onWarning) : () => {};
    const seal =
      options.sealedSessions || options.shared
        ? SessionSeal.of(server.definition, this.#limits.sessionLifetimeMs, options.shared !== undefined)
        : undefined;
    const ended = options.endedSessions;
    const shared = options.shared && new SharedSessions(options.shared, this.#limits.leaseMs);
    const limits = this.#limits;
    this.#sessions = new Sessions(this.#runtime, { limits, warn: this.#warn, seal, ended, shared });
    const { sse } = options;
    this.#sse = sse && new SseEndpoint(this.#runtime, sse.postPath, this.#limits, this.#warn);
  }

  /** The options for delivering the answer to `request`. */
  deliveryTo(request: HttpRequest): Delivery {
    return { stalledMs: this.#limits.stalledMs, unread: this.#unread, client: readerOf(request) };
  }

  /** Answers one HTTP request; never throws. */
  async answer(request: HttpRequest): Promise<HttpReply> {
    const probe = this.#options.health ? this.#probes.answer(request) : undefined;
    if (probe) return probe;
    const card = this.#cards.get(request.path);
    if (card) return card(request.method);
    const refusal = guard(request, this.#options);
    if (refusal) return refusal;
    const origin = request.header('origin');
    const reply = await this.#answer(request);
    const readable = origin === undefined ? reply : readableBy(origin, reply);
    // The next request on this connection then comes to another process.
    return this.#probes.isDraining
      ? { ...readable, headers: { ...readable.headers, connection: 'close' } }
      : readable;
  }

  /** What clients have open now. */
  get gauges(): Gauges {
    const streams = this.#streams.count;
    const { size: sessions, subscriptions } = this.#sessions;
    const listening = [...this.#open].reduce((sum, connection) => sum + connection.subscriptions, 0);
    return { streams, sessions, subscriptions: subscriptions + listening };
  }

  /**
   * Lets clients go to another process: `/readyz` fails, and streams on which clients listen end, to be
   * opened again. Resolves after `drainMs`, in which requests are still answered.
   */
  async drain(): Promise<void> {
    const { drainMs, retryMs } = this.#limits;
    this.#probes.isDraining = true;
    this.#streams.end(retryMs);
    for (const connection of this.#open) connection.endSubscriptions();
    if (drainMs > 0) await pause(drainMs);
    this.#streams.end(retryMs);
  }

  async #answer(request: HttpRequest): Promise<HttpReply> {
    if (request.method === 'OPTIONS') return preflight(request);
    if (this.#closed) return refuse(503, 'This server is closing', { connection: 'close' });
    if (this.#running >= this.#limits.maxRequests) return tooMany('requests', this.#limits.maxRequests);
    const { maxUnreadBytes, maxUnreadBytesPerClient } = this.#limits;
    if (
      this.#unread.isOver(readerOf(request), maxUnreadBytesPerClient) ||
      !this.#unread.makeRoom(maxUnreadBytes)
    ) {
      return refuse(503, 'Too many unread answers; read them, or try again later', { 'retry-after': '1' });
    }
    this.#running++;
    try {
      return await this.#route(request);
    } catch (error) {
      if (isUnavailable(error)) {
        this.#warnUnavailable(error);
        return unavailable(error);
      }
      if (isStoreUnavailable(error)) {
        this.#warnSeldom(error.message);
        return storeUnavailable(error);
      }
      this.#warn(`${request.method} ${request.path} failed: ${stackOf(error)}`);
      return jsonReply(500, errorText(undefined, { code: internalError, message: 'Internal server error' }));
    } finally {
      this.#running--;
    }
  }

  #warnUnavailable(error: unknown): void {
    this.#warnSeldom(`Cannot verify tokens: ${messageOf(error)}`);
  }

  /**
   * Warns the operator about tokens, at most once in ten seconds: clients that send many tokens must not fill
   * the operator's log.
   */
  #warnSeldom(message: string): void {
    if (performance.now() < this.#nextWarningAt) return;
    this.#nextWarningAt = performance.now() + 10_000;
    this.#warn(message);
  }

  /** Stops accepting requests, gives running ones `graceMs`, and ends every session and stream. */
  async close(): Promise<void> {
    this.#probes.isDraining = true;
    this.#closed = true;
    const { graceMs } = this.#limits;
    await Promise.all([
      ...[...this.#open].map((connection) => connection.finish(graceMs)),
      this.#sessions.close(graceMs),
      this.#sse?.close(graceMs),
    ]);
  }

  /** Opens a lasting stream for `client`. At `maxStreams`, ends one of another client, or answers 503. */
  async #lasting(
    client: string,
    open: () => HttpReply | Promise<HttpReply>,
    moves = false,
  ): Promise<HttpReply> {
    return (await this.#streams.open(client, open, moves)) ?? tooMany('streams', this.#limits.maxStreams);
  }

  #route(request: HttpRequest): HttpReply | Promise<HttpReply> {
    const { authorization, sse } = this.#options;
    const { path } = request;
    const metadata = authorization && metadataReply(path, this.#path, authorization);
    if (metadata) return metadata;
    const route = this.#routes.get(path);
    if (route) return route(request);
    const known = path === this.#path || path === sse?.path || path === sse?.postPath;
    if (!known) return refuse(404, `Nothing is served at ${quote(path)}; the endpoint is at "${this.#path}"`);
    if (!authorization) return this.#dispatch(request, this.#senderOf(request, undefined));
    return this.#authorized(request, authorization);
  }

  async #authorized(request: HttpRequest, authorization: Authorization): Promise<HttpReply> {
    const warn = (message: string) => this.#warnSeldom(message);
    const access = await authorize(request, authorization, { endpoint: this.#path, warn });
    if ('refusal' in access) return access.refusal;
    const reply = await this.#dispatch(request, this.#senderOf(request, access.caller), access);
    const { body } = reply;
    // A stream of HTTP+SSE has its token already, because later requests may bring it a newer one.
    if (typeof body === 'object' && request.path === this.#path) {
      const listens = this.#streams.has(body);
      this.#hold(body, access, () => !listens);
    }
    return reply;
  }

  /** Ends a stream when its token is not valid any more. */
  #hold(events: EventStream, access: Access, isAnswering: () => boolean): StreamToken {
    const { recheckMs } = this.#limits;
    const failed = (error: unknown) => this.#warnUnavailable(error);
    return new StreamToken(events, access, { recheckMs, isAnswering, failed });
  }

  #senderOf(request: HttpRequest, caller: Caller | undefined): Sender {
    const sender = this.#passedOf(request, caller);
    if (!this.#runtime.observer) return sender;
    const { transport = 'tcp' } = request;
    return { ...sender, request: { transport, header: (name) => request.header(name) } };
  }

  /** The caller and the headers that handlers get. */
  #passedOf(request: HttpRequest, caller: Caller | undefined): Sender {
    const { passHeaders } = this.#options;
    if (!passHeaders) return caller ? { caller } : unknownSender;
    const headers: { [name: string]: string } = {};
    for (const name of passHeaders) {
      const value = request.header(name);
      if (value !== undefined) headers[name] = value;
    }
    return { caller, headers };
  }

  #dispatch(request: HttpRequest, sender: Sender, access?: Access): HttpReply | Promise<HttpReply> {
    const { method, path } = request;
    if (path !== this.#path) return this.#dispatchSse(request, sender, access);
    if (method === 'POST') return this.#post(request, sender);
    if (method === 'GET' || method === 'DELETE') return this.#inSession(request, sender);
    return notAllowed('POST, GET, DELETE, OPTIONS');
  }

  async #dispatchSse(request: HttpRequest, sender: Sender, access: Access | undefined): Promise<HttpReply> {
    const { method, path } = request;
    const { sse } = this.#options;
    const { address } = request;
    if (path === sse?.path && method === 'GET') {
      const hold = (events: EventStream, isAnswering: () => boolean) =>
        access && this.#hold(events, access, isAnswering);
      return this.#lasting(clientOf(sender.caller, address), () => this.#sse!.open(sender, address, hold));
    }
    if (path !== sse?.postPath || method !== 'POST') return notAllowed(path === sse?.path ? 'GET' : 'POST');
    const text = await this.#textOf(request);
    if (typeof text !== 'string') return text;
    const incoming = incomingOf(text);
    const admission = incoming instanceof RpcError ? undefined : await this.#admit(incoming, sender);
    if (admission && 'refusal' in admission) return admission.refusal;
    return this.#sse!.post(request, incoming, sender, access);
  }

  async #post(request: HttpRequest, sender: Sender): Promise<HttpReply> {
    const text = await this.#textOf(request);
    if (typeof text !== 'string') return text;
    const incoming = incomingOf(text);
    if (incoming instanceof RpcError) return jsonReply(400, errorText(undefined, incoming));
    const admitted = this.#admit(incoming, sender);
    const admission = admitted instanceof Promise ? await admitted : admitted;
    if (!isStateless(request, incoming)) return this.#postInSession(request, incoming, sender, admission);
    if ('refusal' in admission) return admission.refusal;
    const { keepAliveMs } = this.#limits;
    const options = { keepAliveMs, sender, warn: this.#warn, open: this.#open };
    const answer = () => answerStateless(this.#runtime, request, incoming, options);
    return methodOf(incoming) === 'subscriptions/listen'
      ? this.#lasting(clientOf(sender.caller, request.address), answer)
      : answer();
  }

  #admit(incoming: Incoming, sender: Sender): Admission | Promise<Admission> {
    const { authorization } = this.#options;
    return admit(this.#runtime, incoming, sender, { authorization, warn: this.#warn });
  }

  async #postInSession(
    request: HttpRequest,
    incoming: Incoming,
    sender: Sender,
    admission: Admission,
  ): Promise<HttpReply> {
    if (methodOf(incoming) === 'initialize') return this.#initialize(request, incoming, sender);
    const isBatch = incoming.kind === 'batch';
    if (isBatch && request.header('mcp-session-id') === undefined) return refuse(400, noBatches);
    return this.#withSession(request, sender, (session) => {
      if (isBatch && !session.batches) return refuse(400, noBatches);
      if (!('refusal' in admission)) return session.post(incoming, sender, admission.requires);
      // Without a caller, the conversation would not refuse the request.
      if (sender.caller) session.refuse(incoming, sender);
      return admission.refusal;
    });
  }

  async #initialize(request: HttpRequest, incoming: Incoming, sender: Sender): Promise<HttpReply> {
    const { caller } = sender;
    const identity = await this.#sessions
      .identify(handshakeOf(incoming), caller?.principal)
      .catch((error: unknown) => knownError(error));
    if (identity instanceof RpcError) {
      const id = incoming.kind === 'request' ? incoming.request.id : undefined;
      return jsonReply(200, errorText(id, identity));
    }
    const session = this.#sessions.make(identity, caller, request.address);
    if (!session) return noRoom(this.#limits);
    const reply = await session.post(incoming, sender);
    if (!session.open) await this.#sessions.end(session);
    return reply;
  }

  #inSession(request: HttpRequest, sender: Sender): HttpReply | Promise<HttpReply> {
    return this.#withSession(request, sender, (session) =>
      request.method === 'DELETE' ? this.#finish(session) : this.#listenIn(session, request, sender),
    );
  }

  async #finish(session: Session): Promise<HttpReply> {
    await this.#sessions.finish(session);
    return emptyReply(204);
  }

  #listenIn(session: Session, request: HttpRequest, sender: Sender): HttpReply | Promise<HttpReply> {
    if (!accepts(request, 'text/event-stream'))
      return refuse(406, 'Invalid Accept; for a GET it must include text/event-stream');
    const lacking = session.lackingFor(request, sender.caller);
    if (lacking instanceof Promise)
      return lacking.then((scopes) => this.#listenWith(session, request, sender, scopes));
    return this.#listenWith(session, request, sender, lacking);
  }

  /** Opens a stream, unless the caller lacks scopes for it. */
  #listenWith(
    session: Session,
    request: HttpRequest,
    sender: Sender,
    lacking: readonly string[],
  ): HttpReply | Promise<HttpReply> {
    const { authorization } = this.#options;
    if (authorization && sender.caller && lacking.length > 0)
      return insufficientScope(authorization, lacking, sender.caller);
    // All clients on the loopback have the same address, so each session counts as a client of its own.
    const client = session.client === local ? session.id : session.client;
    return this.#lasting(client, () => session.get(request, sender.caller), true);
  }

  /** The answer to a request in the session that its header names. */
  #withSession(
    request: HttpRequest,
    sender: Sender,
    answer: (session: Session) => HttpReply | Promise<HttpReply>,
  ): HttpReply | Promise<HttpReply> {
    const version = request.header('mcp-protocol-version');
    if (version !== undefined && !versions.includes(version)) {
      const data = { supported: versions, requested: version };
      const message = `Unsupported protocol version: "${version}"; expected ${versions.join(', ')}`;
      return jsonReply(400, errorText(undefined, { code: unsupportedVersion, message, data }));
    }
    const id = request.header('mcp-session-id');
    if (id === undefined) {
      const stateless = version === modern.version && request.method === 'DELETE';
      if (request.method === 'GET' || stateless) return notAllowed('POST');
      return refuse(
        400,
        `Missing Mcp-Session-Id; send it, or send the headers and "_meta" of revision ${modern.version}`,
      );
    }
    if (this.#sessions.opens) return this.#openSession({ id, sender, address: request.address }, answer);
    const session = this.#sessions.find(id, sender.caller?.principal);
    return session ? answer(session) : unknownSession();
  }

  async #openSession(
    request: OpenRequest,
    answer: (session: Session) => HttpReply | Promise<HttpReply>,
  ): Promise<HttpReply> {
    const reply = await this.#sessions.open(request, answer);
    return reply === 'full' ? noRoom(this.#limits) : (reply ?? unknownSession());
  }

  /** The body as text, or the response that refuses the request. */
  async #textOf(request: HttpRequest): Promise<string | HttpReply> {
    const type = request.header('content-type') ?? '';
    if (!/^application\/json\s*(;|$)/i.test(type))
      return refuse(415, `Invalid Content-Type: ${quote(type)}; expected application/json`);
    const encoding = request.header('content-encoding') ?? 'identity';
    if (encoding.toLowerCase() !== 'identity') {
      return refuse(415, `Send the body without Content-Encoding, not in ${quote(encoding)}`, {
        'accept-encoding': 'identity',
      });
    }
    if (!accepts(request, 'application/json') && !accepts(request, 'text/event-stream')) {
      return refuse(406, 'Invalid Accept; for a POST it must include application/json or text/event-stream');
    }
    const { maxBodyBytes } = this.#limits;
    const body = await request.body(maxBodyBytes).catch((error: unknown) => knownError(error));
    if (body instanceof RpcError) return jsonReply(400, errorText(undefined, body));
    if (body === 'consumed') return refuse(500, bodyConsumed);
    if (!body) return refuse(413, `A message may have at most ${maxBodyBytes} bytes`);
    if (!isUtf8(body)) {
      return jsonReply(400, errorText(undefined, { code: parseError, message: 'A message must be UTF-8' }));
    }
    return decoder.decode(body);
  }
}

const decoder = new TextDecoder();
const bodyConsumed =
  'The body has been read before the MCP endpoint got the request; serve the endpoint before parsers of bodies';

function storeUnavailable({ retryAfterSeconds }: StoreUnavailable): HttpReply {
  return refuse(503, unavailableText, { 'retry-after': String(retryAfterSeconds) });
}

function unknownSession(): HttpReply {
  return refuse(404, 'Unknown Mcp-Session-Id; send "initialize" to begin a new session');
}

/** What an `initialize` decides; undefined for one that the conversation will refuse. */
function handshakeOf(incoming: Incoming): Handshake | undefined {
  if (incoming.kind !== 'request') return undefined;
  try {
    return handshakeIn(paramsOf(incoming.request));
  } catch (error) {
    return void knownError(error);
  }
}

/** The message or batch in a body; an error if the body has none. */
function incomingOf(text: string): Incoming | RpcError {
  try {
    return classifyIncoming(parse(text), text);
  } catch (error) {
    return knownError(error);
  }
}

/** An error with a message for the client; throws any other error. */
function knownError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  throw error;
}

/** Whom the bytes of an unread answer are counted for: the session or, without one, the connection. */
function readerOf(request: HttpRequest): unknown {
  return request.header('mcp-session-id') ?? request.connection;
}

function methodOf(incoming: Incoming): string | undefined {
  if (incoming.kind === 'request') return incoming.request.method;
  return incoming.kind === 'notification' ? incoming.notification.method : undefined;
}

/** Whether `_meta` or the headers name the stateless revision, so that no session is needed. */
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

/** Whether the client accepts a media type. A client that sends no `Accept` accepts every media type. */
function accepts(request: HttpRequest, type: string): boolean {
  const accept = request.header('accept');
  if (accept === undefined || accept.includes(type) || accept.includes('*/*')) return true;
  const [family] = type.split('/');
  return accept.toLowerCase().includes(type) || accept.toLowerCase().includes(`${family}/*`);
}

function notAllowed(allow: string): HttpReply {
  return emptyReply(405, { allow });
}
