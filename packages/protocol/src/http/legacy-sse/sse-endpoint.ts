import { Connection } from '../../server/connection/connection.ts';
import type { Runtime } from '../../server/runtime.ts';
import { EventStream } from '../wire/event-stream.ts';
import { emptyReply, type HttpReply, type HttpRequest, streamReply } from '../wire/http-message.ts';
import { refuse } from '../security/host-and-origin.ts';
import type { HttpLimits } from '../wire/limits.ts';
import { unref } from '../../platform/unref.ts';

interface Client {
  readonly connection: Connection;
  readonly events: EventStream;
  readonly principal: string | undefined;
}

/**
 * HTTP+SSE: one stream with all messages to the client, and a path for its POST requests.
 * @see https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
export class SseEndpoint {
  readonly #runtime: Runtime;
  readonly #postPath: string;
  readonly #limits: HttpLimits;
  readonly #warn: (message: string) => void;
  readonly #clients = new Map<string, Client>();

  constructor(runtime: Runtime, postPath: string, limits: HttpLimits, warn: (message: string) => void) {
    this.#runtime = runtime;
    this.#postPath = postPath;
    this.#limits = limits;
    this.#warn = warn;
  }

  /** Opens the stream of a client; the conversation ends with it. */
  open(principal: string | undefined): HttpReply {
    if (this.#clients.size >= this.#limits.maxSessions) {
      return refuse(503, 'Too many clients', { 'retry-after': '60' });
    }
    const id = crypto.randomUUID();
    const events = new EventStream();
    const send = (text: string) => events.send({ name: 'message', data: text });
    const outlet = {
      respond: send,
      notify: send,
      abandon() {},
      shared: true,
      get congested() {
        return events.congested;
      },
      drained: () => events.drained(),
    };
    const connection = new Connection(this.#runtime, outlet, {
      warn: this.#warn,
      ...(principal !== undefined && { principal }),
    });
    const timer = setInterval(() => events.keepAlive(), this.#limits.keepAliveMs);
    unref(timer);
    events.whenClosed(() => {
      clearInterval(timer);
      this.#clients.delete(id);
      void connection.close();
    });
    this.#clients.set(id, { connection, events, principal });
    events.send({ name: 'endpoint', data: `${this.#postPath}?sessionId=${id}` });
    return streamReply(events);
  }

  /** Takes a message of a client whose stream is open; the answer goes there. */
  post(request: HttpRequest, text: string, principal: string | undefined): HttpReply {
    const client = this.#clients.get(request.query.get('sessionId') ?? '');
    if (!client || client.principal !== principal) return refuse(404, 'No such session; open a stream first');
    // A client that does not read its answers may not send more requests.
    if (client.events.congested) return refuse(503, 'Read the stream first', { 'retry-after': '1' });
    if (client.connection.running >= this.#limits.maxRequests) {
      return refuse(503, 'Too many requests at once', { 'retry-after': '1' });
    }
    client.connection.receive(text);
    return emptyReply(202);
  }

  /** Ends every stream; running requests have `graceMs` to finish. */
  async close(graceMs: number): Promise<void> {
    await Promise.all(
      [...this.#clients.values()].map(async ({ connection, events }) => {
        await connection.finish(graceMs);
        events.end();
      }),
    );
  }
}
