import type { Agent, IncomingMessage, request as HttpRequest, RequestOptions } from 'node:http';
import { type Exchange, type ExchangeRequest, type ExchangeResponse, fetchExchange } from './exchange.ts';
import { builtinModule } from '../../platform/builtin-module.ts';
import { unref } from '../../platform/unref.ts';
import { Unreachable } from './http-error.ts';

/** `node:http` or `node:https`, with connections that are used again. */
interface Client {
  readonly request: typeof HttpRequest;
  readonly agent: Agent;
}

const clients = new Map<string, Client>();

/**
 * Makes requests by `node:http`, which is several times as fast as the platform's `fetch`;
 * in a runtime without it, by `fetch`.
 */
export function nodeExchange(): Exchange {
  let target: Target | undefined;
  let fallback: Exchange | undefined;
  return (request) => {
    if (fallback) return fallback(request);
    if (!target && !builtinModule('node:http')) {
      fallback = fetchExchange((platform) => globalThis.fetch(platform));
      return fallback(request);
    }
    if (target?.url !== request.url) target = targetOf(request.url);
    return send(target, request);
  };
}

/** The parsed URL of requests. Parsing it again for each would take as long as the rest of this file. */
interface Target {
  readonly url: string;
  readonly host: string;
  readonly options: RequestOptions;
  readonly request: Client['request'];
}

function targetOf(url: string): Target {
  const { protocol, hostname, port, pathname, search, host } = new URL(url);
  const { request, agent } = clientOf(protocol);
  const options = {
    agent,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    path: `${pathname}${search}`,
    ...(port !== '' && { port }),
  };
  return { url, host, options, request };
}

// Loaded with the first request, as servers over stdio do not need it. `import` would also load the
// platform's `fetch`, because `node:http` exports parts of it.
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
    // Names and values in turn: an object of headers would be copied and looked up twice.
    const lines = ['host', headers['host'] ?? host];
    // Without it, a server may compress, which `node:http` does not undo.
    if (!('accept-encoding' in headers)) lines.push('accept-encoding', 'identity');
    for (const name in headers) if (name !== 'host') lines.push(name, headers[name] ?? '');
    if (body !== undefined) lines.push('content-length', String(Buffer.byteLength(body)));
    let answered = false;
    const sent = request({ ...options, method, headers: lines }, (response) => {
      answered = true;
      resolve(new NodeResponse(response));
    });
    // The option `signal` gives the socket an error, which ends the process where the socket is just being
    // returned.
    const abort = () => void sent.destroy();
    signal.addEventListener('abort', abort, { once: true });
    sent.on('close', () => {
      signal.removeEventListener('abort', abort);
      // An upgrade to another protocol is no error of the request. Without effect after one.
      if (!answered) reject(new Unreachable('The connection was closed without a response'));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (signal.aborted) return reject(error);
      // A server closes a connection that has been idle; after a suspended or busy moment that
      // is noticed too late.
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
    // `read` rejects with the error; without a listener it would end the process.
    response.on('error', () => {});
  }

  header(name: string): string | undefined {
    const value = this.#body.headers[name];
    return typeof value === 'object' ? value[0] : value;
  }

  // Not by `for await`, which needs several promises for each chunk.
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
    // The rest is read, so that the connection can be used again, but not for long, as it may never end.
    const body = this.#body;
    if (body.closed) return;
    const timer = setTimeout(() => body.destroy(), 1_000);
    unref(timer);
    body.once('close', () => clearTimeout(timer));
    body.resume();
  }
}
