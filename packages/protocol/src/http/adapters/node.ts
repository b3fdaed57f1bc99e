import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpReply, HttpRequest } from '../wire/http-message.ts';

/** A request of `node:http`, as the endpoint sees it. */
export class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly #search: string;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse) {
    const { method = 'GET', url = '/' } = request;
    const mark = url.indexOf('?');
    this.method = method;
    this.path = mark === -1 ? url : url.slice(0, mark);
    this.#search = mark === -1 ? '' : url.slice(mark + 1);
    this.#request = request;
    this.#response = response;
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.#search);
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  body(maxBytes: number): Promise<Uint8Array | undefined> {
    const request = this.#request;
    // Node discards what is not read, so that the client can hear why and keep its connection.
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

/** Sends a reply, to a client that may take its time for it but must not stop for `stalledMs`. */
export function sendReply(
  response: ServerResponse,
  { status, headers, body }: HttpReply,
  stalledMs: number,
): void {
  if (response.destroyed) {
    if (body !== undefined && typeof body !== 'string') body.close();
    return;
  }
  if (body === undefined || typeof body === 'string') {
    const text = body ?? '';
    const length = status === 204 ? undefined : { 'content-length': Buffer.byteLength(text) };
    response.writeHead(status, { ...headers, ...length });
    response.end(text);
    if (response.writableLength > 0) response.setTimeout(stalledMs);
    return;
  }
  response.writeHead(status, headers);
  response.flushHeaders();
  response.on('drain', () => {
    response.setTimeout(0);
    body.resume();
  });
  response.on('close', () => body.close());
  response.on('error', () => body.close());
  body.attach({
    write(text) {
      const room = response.write(text);
      if (!room) response.setTimeout(stalledMs);
      return room;
    },
    end: () => {
      response.end();
      if (response.writableLength > 0) response.setTimeout(stalledMs);
    },
  });
}
