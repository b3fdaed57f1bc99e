import type { Agent, IncomingMessage, request as HttpRequest, RequestOptions } from 'node:http';
import { unref } from '@mcp/kit';
import { type Exchange, type ExchangeRequest, type ExchangeResponse, fetchExchange } from './exchange.ts';
import { builtinModule } from '../../platform/builtin-module.ts';
import { Unreachable } from './http-error.ts';

/** The parts of `node:http` or `node:https` that this module uses, with an agent that reuses connections. */
interface Client {
  readonly request: typeof HttpRequest;
  readonly agent: Agent;
}

const clients = new Map<string, Client>();

/**
 * Makes requests by `node:http`, which is faster than `fetch`. Runtimes without `node:http` use `fetch`. If
 * `socketPath` is given, connects to this Unix socket or named pipe, and not to the host of the URL.
 */
export function nodeExchange(socketPath?: string): Exchange {
  let target: Target | undefined;
  let fallback: Exchange | undefined;
  return (request) => {
    if (fallback) return fallback(request);
    if (!target && !builtinModule('node:http')) {
      if (socketPath !== undefined) throw new Error('This runtime cannot connect to a socket');
      fallback = fetchExchange((platform) => globalThis.fetch(platform));
      return fallback(request);
    }
    if (target?.url !== request.url) target = targetOf(request.url, socketPath);
    return send(target, request);
  };
}

/**
 * The parsed URL of the last request, used again if the next request has the same URL: parsing takes as long
 * as everything else that this file does for a request.
 */
interface Target {
  readonly url: string;
  readonly host: string;
  readonly options: RequestOptions;
  readonly request: Client['request'];
}

function targetOf(url: string, socketPath: string | undefined): Target {
  const { protocol, hostname, port, pathname, search, host } = new URL(url);
  const { request, agent } = clientOf(protocol);
  const options = {
    agent,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    path: `${pathname}${search}`,
    ...(port !== '' && { port }),
    ...(socketPath !== undefined && { socketPath }),
  };
  return { url, host, options, request };
}

// Loads `node:http` at the first request, and without `import`, which would read all its exports: one of
// them, `WebSocket`, makes Node load the implementation of `fetch`.
function clientOf(protocol: string): Client {
  const known = clients.get(protocol);
  if (known) return known;
  const { request, Agent } = builtinModule(protocol === 'https:' ? 'node:https' : 'node:http')!;
  const client = { request, agent: new Agent({ keepAlive: true, scheduling: 'lifo' }) };
  clients.set(protocol, client);
  return client;
}

function send(target: Target, exchanged: ExchangeRequest): Promise<ExchangeResponse> {
  const { host, options, request } = target;
  const { method, headers, body, signal, repeatable } = exchanged;
  return new Promise((resolve, reject) => {
    // A list, because Node would copy an object of headers and look up each name twice.
    const lines = ['host', headers['host'] ?? host];
    // Without this header, a server may compress the response, which `node:http` does not undo.
    if (!('accept-encoding' in headers)) lines.push('accept-encoding', 'identity');
    for (const name in headers) if (name !== 'host') lines.push(name, headers[name] ?? '');
    if (body !== undefined) lines.push('content-length', String(Buffer.byteLength(body)));
    let answered = false;
    const sent = request({ ...options, method, headers: lines }, (response) => {
      answered = true;
      resolve(new NodeResponse(response));
    });
    // Not Node's option `signal`: an abort while the socket returns to the agent would end the process.
    const abort = () => void sent.destroy();
    signal.addEventListener('abort', abort, { once: true });
    sent.on('close', () => {
      signal.removeEventListener('abort', abort);
      // The connection may also close without an error, for example after an upgrade of the protocol.
      if (!answered) reject(new Unreachable('The connection was closed without a response'));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (signal.aborted) return reject(error);
      // The server may have closed the idle connection before the request arrived, so the request is sent
      // once more over a new connection.
      if (!repeatable || !sent.reusedSocket || error.code !== 'ECONNRESET')
        return reject(new Unreachable(error));
      const fresh = { ...target, options: { ...options, agent: false } };
      resolve(send(fresh, { ...exchanged, repeatable: false }));
    });
    if (signal.aborted) abort();
    sent.end(body);
  });
}

class NodeResponse implements ExchangeResponse {
  readonly status: number;
  readonly #body: IncomingMessage;

  constructor(response: IncomingMessage) {
    this.status = response.statusCode ?? 0;
    this.#body = response;
    // `read` rejects with this error; without this listener, the error would end the process.
    response.on('error', () => {});
  }

  header(name: string): string | undefined {
    const value = this.#body.headers[name];
    return typeof value === 'object' ? value[0] : value;
  }

  // Listeners are used instead of `for await`, which needs several promises for each chunk.
  read(take: (chunk: Uint8Array) => void): Promise<void> {
    const body = this.#body;
    return new Promise((resolve, reject) => {
      if (body.errored) return reject(body.errored);
      body.on('data', (chunk: Buffer) => {
        try {
          take(chunk);
        } catch (error) {
          reject(error);
          body.destroy();
        }
      });
      body.on('end', resolve);
      body.on('error', reject);
      body.on('close', () => {
        if (!body.readableEnded)
          reject(new Error('The connection was closed before the end of the response'));
      });
    });
  }

  discard(): void {
    // Reads the rest, so that the connection can be used again, but not for longer than a second.
    const body = this.#body;
    if (body.closed) return;
    const timer = unref(setTimeout(() => body.destroy(), 1_000));
    body.once('close', () => clearTimeout(timer));
    body.resume();
  }
}
