import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Route } from '../../jsonrpc/channel.ts';
import { maxDepth, tooDeep } from '../../jsonrpc/depth.ts';
import type { EventStream } from '../wire/event-stream.ts';
import type { HttpReply, HttpRequest } from '../wire/http-message.ts';
import type { Delivery } from '../wire/unread-answers.ts';
import { PacedResponse } from './paced-response.ts';

export class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  /**
   * The host in the request line, if the request target is a complete URL. It takes precedence over the
   * header `Host` (RFC 9112, section 3.2.2).
   */
  readonly #host: string | undefined;
  readonly #search: string;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse) {
    const { method = 'GET', url = '/', originalUrl: target = url } = request as FrameworkRequest;
    const [, host, local = ''] = absolute(target) ?? [undefined, undefined, target];
    this.#host = host;
    const mark = local.indexOf('?');
    this.method = method;
    this.path = (mark === -1 ? local : local.slice(0, mark)) || '/';
    this.#search = mark === -1 ? '' : local.slice(mark + 1);
    this.#request = request;
    this.#response = response;
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.#search);
  }

  get address(): string | undefined {
    return this.#request.socket.remoteAddress;
  }

  get transport(): Route['transport'] {
    if (this.address !== undefined) return 'tcp';
    return process.platform === 'win32' ? 'pipe' : 'unix';
  }

  get connection(): object {
    return this.#request.socket;
  }

  header(name: string): string | undefined {
    if (name === 'host') return this.#host ?? hostOf(this.#request);
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  body(maxBytes: number): Promise<Uint8Array | 'consumed' | undefined> {
    const request = this.#request;
    if (request.readableDidRead || request.readableEnded) {
      return keptBody(request).then((kept) =>
        kept === 'consumed' || kept.length <= maxBytes ? kept : undefined,
      );
    }
    // The client has disconnected, so that `close` is not emitted again.
    if (request.destroyed) return Promise.resolve(undefined);
    // A body that is too long is not read: Node discards it, and the client gets an error response (413).
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= maxBytes) return void chunks.push(chunk);
        chunks.length = 0;
        resolve(undefined);
      });
      request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
      request.on('close', () => resolve(undefined));
    });
  }

  whenGone(gone: () => void): void {
    const response = this.#response;
    if (response.destroyed) return gone();
    response.on('close', () => {
      if (!response.writableFinished) gone();
    });
  }
}

/** The host of a request target that is a complete URL, and the rest; null for a path. */
function absolute(target: string): RegExpExecArray | null {
  return target.startsWith('/') ? null : /^https?:\/\/([^/?#]*)(.*)$/i.exec(target);
}

/** A request that a framework passes on. */
type FrameworkRequest = IncomingMessage & {
  /** The whole target, where the framework has removed the path of a router from `url` (Express, Connect). */
  readonly originalUrl?: string;
};

/**
 * The body that a framework has read: its bytes in `rawBody` (Nest, Cloud Functions), or what its parser left
 * in `body` (Express and others), where JSON is written again. Rejects with an `RpcError` for a value with so
 * many levels that it cannot be written.
 */
async function keptBody(request: IncomingMessage): Promise<Uint8Array | 'consumed'> {
  const { rawBody, body } = request as { readonly rawBody?: unknown; readonly body?: unknown };
  if (rawBody instanceof Uint8Array) return rawBody;
  if (body instanceof Uint8Array) return body;
  const text = typeof body === 'string' ? body : jsonOf(body);
  return text === undefined ? 'consumed' : Buffer.from(text);
}

/** The value as JSON; undefined for a value that no parser of JSON has made. */
function jsonOf(body: unknown): string | undefined {
  try {
    return JSON.stringify(body);
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(maxDepth);
    return undefined;
  }
}

/**
 * All values of `Host`, joined by commas, so that a request with several is refused: Node keeps only the
 * first, but a proxy in front of Node may have used another one to route the request.
 */
function hostOf({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const hosts: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts.push(rawHeaders[index + 1]!);
  }
  return hosts.length > 1 ? hosts.join(', ') : headers.host;
}

/** Sends a reply, as fast as the client reads it. */
export function sendReply(
  response: ServerResponse,
  { status, headers, body }: HttpReply,
  delivery: Delivery,
): void {
  if (response.destroyed) {
    if (body !== undefined && typeof body !== 'string') body.close();
    return;
  }
  if (body === undefined || typeof body === 'string') {
    const text = body ?? '';
    const length = status === 204 ? undefined : { 'content-length': Buffer.byteLength(text) };
    response.writeHead(status, { ...headers, ...length });
    new PacedResponse(response, delivery).end(text);
    return;
  }
  response.writeHead(status, headers);
  response.flushHeaders();
  sendStream(new PacedResponse(response, delivery, body), body);
}

function sendStream(response: PacedResponse, body: EventStream): void {
  response.whenClosed(() => body.close());
  body.attach({ write: (text) => response.write(text), end: () => response.end() });
}
