import { Connection } from '../../server/connection/connection.ts';
import type { Runtime } from '../../server/runtime.ts';
import { EventStream } from '../wire/event-stream.ts';
import { emptyReply, type HttpReply, type HttpRequest, streamReply } from '../wire/http-message.ts';
import type { Grant } from '../security/authorization.ts';
import { refuse } from '../security/host-and-origin.ts';
import { clientOf } from '../shares/client-key.ts';
import { makeRoom, type Place } from '../shares/make-room.ts';
import type { HttpLimits } from '../wire/limits.ts';
import { unref } from '../../platform/unref.ts';

/** Messages of a handshake: `initialize`, and the notification after it. */
const handshakeMessages = 2;

/** One client's conversation. */
class Conversation implements Place {
  readonly id = crypto.randomUUID();
  readonly connection: Connection;
  readonly events: EventStream;
  readonly principal: string | undefined;
  readonly client: string;
  lastUsed = Date.now();
  #messages = 0;

  constructor(connection: Connection, events: EventStream, principal: string | undefined, client: string) {
    this.connection = connection;
    this.events = events;
    this.principal = principal;
    this.client = client;
  }

  /** The stream is always open, so that running requests alone keep it. */
  get idle(): boolean {
    return this.connection.running === 0;
  }

  get used(): boolean {
    return this.#messages > handshakeMessages;
  }

  receive(text: string): void {
    this.lastUsed = Date.now();
    this.#messages++;
    this.connection.receive(text);
  }
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
  readonly #conversations = new Map<string, Conversation>();

  constructor(runtime: Runtime, postPath: string, limits: HttpLimits, warn: (message: string) => void) {
    this.#runtime = runtime;
    this.#postPath = postPath;
    this.#limits = limits;
    this.#warn = warn;
  }

  /** Opens the stream of a client; the conversation ends with it. */
  open(grant: Grant | undefined, address: string | undefined): HttpReply {
    const client = clientOf(grant, address);
    const end = (other: Conversation) => {
      // A client that does not read keeps its stream open for a while.
      this.#forget(other);
      other.events.end();
    };
    if (!makeRoom(client, [...this.#conversations.values()], this.#limits, end)) {
      return refuse(503, 'Too many clients', { 'retry-after': '60' });
    }
    const principal = grant?.principal;
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
    const conversation = new Conversation(connection, events, principal, client);
    events.whenClosed(() => {
      clearInterval(timer);
      this.#forget(conversation);
    });
    this.#conversations.set(conversation.id, conversation);
    events.send({ name: 'endpoint', data: `${this.#postPath}?sessionId=${conversation.id}` });
    return streamReply(events);
  }

  #forget({ id, connection }: Conversation): void {
    this.#conversations.delete(id);
    void connection.close();
  }

  /** Takes a message of a client whose stream is open; the answer goes there. */
  post(request: HttpRequest, text: string, principal: string | undefined): HttpReply {
    const conversation = this.#conversations.get(request.query.get('sessionId') ?? '');
    if (!conversation || conversation.principal !== principal) {
      return refuse(404, 'No such session; open a stream first');
    }
    // A client that does not read its answers may not send more requests.
    if (conversation.events.congested) return refuse(503, 'Read the stream first', { 'retry-after': '1' });
    if (conversation.connection.running >= this.#limits.maxRequests) {
      return refuse(503, 'Too many requests at once', { 'retry-after': '1' });
    }
    conversation.receive(text);
    return emptyReply(202);
  }

  /** Ends every stream; running requests have `graceMs` to finish. */
  async close(graceMs: number): Promise<void> {
    await Promise.all(
      [...this.#conversations.values()].map(async ({ connection, events }) => {
        await connection.finish(graceMs);
        events.end();
      }),
    );
  }
}
