import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** A request that a server has received. */
export interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  readonly json?: unknown;
  /** The body of the reply, if it is not JSON. `json` is then ignored. */
  readonly body?: string | Readable;
}

export type Route = (request: Received) => Reply | Promise<Reply>;

/** An HTTP server on the loopback that answers by path and records its requests. Unknown paths are 404. */
export class HttpServer implements AsyncDisposable {
  readonly origin: string;
  readonly received: Received[] = [];
  readonly routes: { [path: string]: Route };
  readonly #server: Server;

  private constructor(server: Server, routes: { [path: string]: Route }) {
    this.#server = server;
    this.routes = routes;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Listens on a free port, or on `port`, for example on that of a server that was closed. */
  static async start(routes: { [path: string]: Route } = {}, port = 0): Promise<HttpServer> {
    const server = createServer((request, response) => {
      void (async () => {
        const url = new URL(`http://${request.headers.host}${request.url}`);
        const { method = 'GET', headers } = request;
        const received = { method, url, headers, body: await text(request) };
        started.received.push(received);
        const reply = (await started.routes[url.pathname]?.(received)) ?? { status: 404 };
        const { status = 200, json, body = json === undefined ? '' : JSON.stringify(json) } = reply;
        response.writeHead(status, { 'content-type': 'application/json', ...reply.headers });
        if (typeof body === 'string') response.end(body);
        else body.on('error', () => response.destroy()).pipe(response.on('close', () => body.destroy()));
      })().catch((error: unknown) => response.destroy(error as Error));
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const started = new HttpServer(server, routes);
    return started;
  }

  /** The requests received at a path. */
  at(path: string): Received[] {
    return this.received.filter(({ url }) => url.pathname === path);
  }

  get paths(): string[] {
    return this.received.map(({ url }) => url.pathname);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export function formOf({ body }: Received): { readonly [name: string]: string } {
  return Object.fromEntries(new URLSearchParams(body));
}
