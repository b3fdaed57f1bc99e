import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Server } from './define/server.ts';
import { sharedToken } from './http/security/authorization.ts';
import { HttpEndpoint, type HttpOptions } from './http/endpoint.ts';
import { usualLimits } from './http/wire/limits.ts';
import { NodeRequest, sendReply } from './http/adapters/node.ts';
import { WebRequest, webResponse } from './http/adapters/web.ts';

export {
  type Authorization,
  type Grant,
  type ResourceMetadata,
  sharedToken,
} from './http/security/authorization.ts';
export type { HttpOptions } from './http/endpoint.ts';
export type { HttpLimits } from './http/wire/limits.ts';

/** One MCP endpoint over HTTP, for whatever carries the requests. */
export interface HttpHandler {
  /** Answers a request of the web platform. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Answers a request of `node:http`. */
  readonly node: (request: IncomingMessage, response: ServerResponse) => void;
  /** Ends every conversation and every stream. */
  readonly close: () => Promise<void>;
}

/** Makes a server's endpoint, with the checks that keep strangers out of a machine; see {@link HttpOptions}. */
export function httpHandler(server: Server, options: HttpOptions = {}): HttpHandler {
  const endpoint = new HttpEndpoint(server, options);
  return {
    fetch: async (request) => webResponse(await endpoint.answer(new WebRequest(request))),
    node: (request, response) =>
      void endpoint
        .answer(new NodeRequest(request, response))
        .then((reply) => sendReply(response, reply, endpoint.limits.stalledMs))
        .catch(() => response.destroy()),
    close: () => endpoint.close(),
  };
}

/** Times after which a listener lets go of who is too slow, in milliseconds. */
export interface ListenTimeouts {
  /** The head of a request has arrived. */
  readonly headersMs: number;
  /** All of a request has arrived. */
  readonly requestMs: number;
  /** The next request of a connection has begun. */
  readonly idleMs: number;
}

export interface ListenOptions extends HttpOptions {
  /** The port; one that is free unless said otherwise. */
  readonly port?: number;
  /** The address to listen on; the loopback's unless said otherwise. */
  readonly host?: string;
  /** A token that every client must bring. Needed where others than this machine can connect. */
  readonly token?: string;
  readonly timeouts?: Partial<ListenTimeouts>;
}

export interface HttpListener {
  /** The address of the endpoint. */
  readonly url: string;
  /** Lets nobody in any more, answers what has been asked, and ends every stream. */
  close(): Promise<void>;
}

const loopbackAddresses = ['127.0.0.1', 'localhost', '::1'];
const usualTimeouts: ListenTimeouts = { headersMs: 10_000, requestMs: 60_000, idleMs: 60_000 };

/** Listens for clients of `server`, with limits on everything that a client can keep open. */
export async function serveHttp(server: Server, options: ListenOptions = {}): Promise<HttpListener> {
  const { port = 0, host = '127.0.0.1', token, path = '/mcp', warn } = options;
  const local = loopbackAddresses.includes(host);
  const authorization = options.authorization ?? (token === undefined ? undefined : sharedToken(token));
  if (!local && !authorization) {
    throw new Error(`Everybody who reaches "${host}" could use this server; give it a token`);
  }
  const limits = { ...usualLimits, ...options.limits };
  const handler = httpHandler(server, {
    ...options,
    ...(authorization && { authorization }),
    // A token keeps strangers out whatever name they call.
    ...(!local && options.allowedHosts === undefined && { allowedHosts: 'any' }),
  });
  const listener = listenerWith({ ...usualTimeouts, ...options.timeouts });
  // Each connection carries one request or one stream at a time; some wait for their next.
  listener.maxConnections = 2 * limits.maxRequests + limits.maxStreams;
  listener.on('request', handler.node);
  const sockets = new Set<Socket>();
  listener.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(port, host, () => {
      listener.off('error', reject);
      resolve();
    });
  });
  listener.on('error', (error) => warn?.(`A connection could not be accepted: ${error.message}`));
  const { port: actual } = listener.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}${path}`,
    close: () => close(listener, sockets, handler, limits.graceMs),
  };
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

async function close(
  listener: HttpServer,
  sockets: ReadonlySet<Socket>,
  handler: HttpHandler,
  graceMs: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
  await handler.close();
  // Node does not count as idle what has never been used.
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  // What has been said is still being delivered; whoever does not take it is left.
  const idle = setInterval(() => listener.closeIdleConnections(), 20);
  const late = setTimeout(() => listener.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
