import { Buffer } from 'node:buffer';
import type { EventStream } from '../wire/event-stream.ts';
import type { HttpReply, HttpRequest } from '../wire/http-message.ts';

export class WebRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly #request: Request;

  constructor(request: Request) {
    const { pathname, searchParams } = new URL(request.url);
    this.method = request.method;
    this.path = pathname;
    this.query = searchParams;
    this.#request = request;
  }

  header(name: string): string | undefined {
    // A `Request` made by `new Request(url)` has no `Host` header, so the host is taken from the URL.
    const value = this.#request.headers.get(name);
    return value ?? (name === 'host' ? new URL(this.#request.url).host : undefined);
  }

  async body(maxBytes: number): Promise<Uint8Array | 'consumed' | undefined> {
    if (this.#request.bodyUsed || this.#request.body?.locked) return 'consumed';
    if (Number(this.#request.headers.get('content-length') ?? 0) > maxBytes) return undefined;
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    try {
      for await (const chunk of this.#request.body ?? []) {
        bytes += chunk.length;
        if (bytes > maxBytes) return undefined;
        chunks.push(chunk);
      }
    } catch {
      return undefined;
    }
    return Buffer.concat(chunks);
  }

  whenGone(gone: () => void): void {
    const { signal } = this.#request;
    if (signal.aborted) gone();
    else signal.addEventListener('abort', gone, { once: true });
  }
}

export function webResponse({ status, headers, body }: HttpReply): Response {
  const init = { status, headers: { ...headers } };
  return body === undefined || typeof body === 'string'
    ? new Response(body ?? null, init)
    : new Response(readable(body), init);
}

function readable(events: EventStream): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        events.attach({
          write(text) {
            controller.enqueue(encoder.encode(text));
            return (controller.desiredSize ?? 0) > 0;
          },
          end: () => controller.close(),
        });
      },
      pull: () => events.resume(),
      cancel: () => events.close(),
    },
    { highWaterMark: 64 * 1024, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}
