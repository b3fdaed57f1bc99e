import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { safeWarn } from '@mcp/kit';
import type { Caller } from './define/caller.ts';
import type { Server } from './define/server.ts';
import { type Authorization, sharedToken } from './http/security/authorization.ts';
import { HttpEndpoint, type HttpOptions } from './http/endpoint.ts';
import { isLoopback } from './http/security/host-and-origin.ts';
import { type Names, ofEndpoint, refuseUnknownOptions } from './http/known-options.ts';
import { Metrics } from './http/operation/metrics.ts';
import { type MetricsAddress, serveMetrics } from './http/operation/serve-metrics.ts';
import { socketUrl } from './http/wire/socket-url.ts';
import { limitsOf } from './http/wire/limits.ts';
import { closeListener } from './http/adapters/close-listener.ts';
import { listenAt } from './http/adapters/listen.ts';
import { NodeRequest, sendReply } from './http/adapters/node.ts';
import { WebRequest, webResponse } from './http/adapters/web.ts';

export { type Authorization, type ResourceMetadata, sharedToken } from './http/security/authorization.ts';
export {
  type DpopSupport,
  InvalidProof,
  type TokenUse,
  type Verify,
  VerifierUnavailable,
} from './http/security/verify.ts';
export { type Leave, listenAt, type ListenAddress, listenAddressOf } from './http/adapters/listen.ts';
export type { ServerCard } from './http/discovery/server-card.ts';
export type { MetricsAddress } from './http/operation/serve-metrics.ts';
export type { HttpOptions } from './http/endpoint.ts';
export type { EndedSessions } from './http/sessions/ended-sessions.ts';
export type { Route, RouteReply, RouteRequest } from './http/wire/http-message.ts';
export type { HttpLimits } from './http/wire/limits.ts';

/** One MCP endpoint over HTTP. */
export interface HttpHandler {
  /** Answers a request of the fetch API. */
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * Answers a request of `node:http`. Where a framework has read the body, its `request.rawBody` or
   * `request.body` is taken; without these the answer is 500.
   */
  readonly node: (request: IncomingMessage, response: ServerResponse) => void;
  /**
   * Lets clients go to another process before `close`: `/readyz` fails, and streams on which they listen end,
   * to be opened again. Resolves after `limits.drainMs`, in which requests are still answered.
   */
  readonly drain: () => Promise<void>;
  /** Stops accepting requests, gives running ones a limited time, and ends every session and stream. */
  readonly close: () => Promise<void>;
}

/**
 * Makes the endpoint of a server, to mount in an existing HTTP server. Serves `options.path` (default `/mcp`)
 * and answers 404 elsewhere. By default only requests for a loopback host are served.
 * `options.allowedHosts`, such as `['mcp.example.com']`, replaces the loopback hosts by others, and
 * `options.allowedOrigins` names the origins of web pages on further hosts. All other requests get 403.
 * Throws an `Error` for an unknown option.
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { httpHandler } from '@mcp/protocol/http';
 * import { createServer } from 'node:http';
 *
 * const handler = httpHandler(defineServer({ name: 'example', version: '1.0.0' }), {
 *   path: '/api/mcp',
 *   allowedHosts: ['mcp.example.com'],
 * });
 * const listener = createServer(handler.node).listen(0);
 * listener.close();
 * await handler.close();
 * ```
 */
export function httpHandler<Who extends Caller | undefined>(
  server: Server<Who>,
  options: HttpOptions & { readonly authorization: Authorization<NonNullable<NoInfer<Who>>> },
): HttpHandler;
export function httpHandler(server: Server, options?: HttpOptions): HttpHandler;
export function httpHandler(server: Server, options: HttpOptions = {}): HttpHandler {
  refuseUnknownOptions('httpHandler', ofEndpoint, options);
  return handlerOf(new HttpEndpoint(server, options));
}

function handlerOf(endpoint: HttpEndpoint): HttpHandler {
  return {
    fetch: async (request) => webResponse(await endpoint.answer(new WebRequest(request))),
    node: (request, response) => {
      const asked = new NodeRequest(request, response);
      void endpoint
        .answer(asked)
        .then((reply) => sendReply(response, reply, endpoint.deliveryTo(asked)))
        .catch(() => response.destroy());
    },
    drain: () => endpoint.drain(),
    close: () => endpoint.close(),
  };
}

/** Milliseconds after which a listener disconnects a slow client. */
export interface ListenTimeouts {
  /** Milliseconds for the headers of a request to arrive. Default: 10,000. */
  readonly headersMs: number;
  /** Milliseconds for a complete request to arrive. Default: 60,000. */
  readonly requestMs: number;
  /** Milliseconds for the next request on a connection to begin. Default: 60,000. */
  readonly idleMs: number;
}

/** Options of `serveHttp`. */
export interface ListenOptions extends HttpOptions {
  /** The port. Default: a free port. */
  readonly port?: number;
  /** The address to listen on. Default: `127.0.0.1`. */
  readonly host?: string;
  /**
   * The path of a Unix socket to listen on, in place of `host` and `port`; on Windows, the name of a pipe. On
   * other systems, only the user of this process can connect, and the path has at most 107 bytes (103 on
   * macOS). A socket that an ended process has left is replaced. `close` deletes the socket, unless another
   * file is in its place.
   */
  readonly socketPath?: string;
  /**
   * A token that every client must send. If `host` is not a loopback address, `token` or `authorization` is
   * required.
   */
  readonly token?: string;
  /**
   * Serves metrics for Prometheus at `/metrics` of another address, without authentication. Default: no
   * metrics.
   */
  readonly metrics?: MetricsAddress;
  /** The timeouts of connections. A timeout that is not given has its default. */
  readonly timeouts?: Partial<ListenTimeouts>;
}

const ofListener: Names<ListenOptions> = {
  ...ofEndpoint,
  port: true,
  host: true,
  socketPath: true,
  token: true,
  metrics: true,
  timeouts: true,
};

/** An endpoint that accepts connections. */
export interface HttpListener {
  /**
   * The address of the endpoint: `http://127.0.0.1:8080/mcp`, or `unix:///run/notes.sock#/mcp` at a socket.
   */
  readonly url: string;
  /** The address of the metrics, with the option `metrics`. */
  readonly metricsUrl?: string;
  /**
   * Tells listening clients to come back elsewhere, waits for `limits.drainMs`, stops accepting connections,
   * gives running requests a limited time to finish, and ends every stream.
   */
  close(): Promise<void>;
}

const defaultTimeouts: ListenTimeouts = { headersMs: 10_000, requestMs: 60_000, idleMs: 60_000 };

/**
 * Listens for clients of `server`, with limits on everything that a client can keep open. Rejects if the
 * address cannot be listened on, for an unknown option, or if `host` is not a loopback address and neither a
 * token nor `authorization` is given.
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { serveHttp } from '@mcp/protocol/http';
 *
 * const listener = await serveHttp(defineServer({ name: 'example', version: '1.0.0' }));
 * console.log(listener.url); // http://127.0.0.1:34567/mcp
 * await listener.close();
 * ```
 */
export async function serveHttp<Who extends Caller | undefined>(
  server: Server<Who>,
  options: ListenOptions & { readonly authorization: Authorization<NonNullable<NoInfer<Who>>> },
): Promise<HttpListener>;
export async function serveHttp(server: Server, options?: ListenOptions): Promise<HttpListener>;
export async function serveHttp(server: Server, options: ListenOptions = {}): Promise<HttpListener> {
  refuseUnknownOptions('serveHttp', ofListener, options);
  const { port = 0, host = '127.0.0.1', socketPath, token, path = '/mcp' } = options;
  const warn = options.onWarning && safeWarn(options.onWarning);
  if (socketPath !== undefined && (options.port !== undefined || options.host !== undefined))
    throw new Error('Invalid socketPath with port or host; give one address');
  const local = socketPath !== undefined || isLoopback(host);
  const authorization = options.authorization ?? (token === undefined ? undefined : sharedToken(token));
  if (!local && !authorization) {
    throw new Error(`Refusing to listen on "${host}" without a token; pass a token, or listen on 127.0.0.1`);
  }
  const limits = limitsOf(options.limits);
  const metrics = options.metrics && new Metrics(server.definition.extensions);
  const endpoint = new HttpEndpoint(metrics ? metrics.measured(server) : server, {
    ...options,
    ...(authorization && { authorization }),
    // Every request needs a token or, at a socket, the rights of its user, which a web page cannot get. So a
    // check of the host name would add no protection: any name is allowed.
    ...((!local || socketPath !== undefined) &&
      options.allowedHosts === undefined && { allowedHosts: 'any' }),
  });
  const handler = handlerOf(endpoint);
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const listener = listenerWith(timeouts);
  // Each connection carries one request or stream; the factor 2 leaves room for idle connections.
  listener.maxConnections = 2 * limits.maxRequests + limits.maxStreams;
  listener.on('request', handler.node);
  if (metrics)
    listener.on('request', (_, response) =>
      response.once('close', () => metrics.responded(response.statusCode)),
    );
  const sockets = new Set<Socket>();
  listener.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const gauges = () => endpoint.gauges;
  const measured = metrics && (await serveMetrics(listenerWith(timeouts), metrics, options.metrics!, gauges));
  const leave = await listenAt(listener, socketPath === undefined ? { host, port } : { socketPath }).catch(
    (error: unknown) => {
      measured?.close();
      throw error;
    },
  );
  listener.on('error', (error) => warn?.(`Cannot accept a connection: ${error.message}`));
  return {
    url: urlOf(listener, host, path),
    ...(measured && { metricsUrl: measured.url }),
    close: async () => {
      await handler.drain();
      await closeListener({ listener, sockets, leave }, () => handler.close(), limits.graceMs);
      measured?.close();
    },
  };
}

function urlOf(listener: HttpServer, host: string, path: string): string {
  const address = listener.address() as AddressInfo | string;
  if (typeof address === 'string') return socketUrl({ socketPath: address, path });
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}${path}`;
}

function listenerWith({ headersMs, requestMs, idleMs }: ListenTimeouts): HttpServer {
  return createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: Math.min(5_000, headersMs, requestMs),
    maxHeaderSize: 16 * 1024,
    noDelay: true,
  });
}
