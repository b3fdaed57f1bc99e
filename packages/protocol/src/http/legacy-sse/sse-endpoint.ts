import { sharedOutlet } from '../../server/call/outlet.ts';
import { Connection } from '../../server/connection/connection.ts';
import type { Runtime } from '../../server/runtime.ts';
import { EventStream } from '../wire/event-stream.ts';
import { emptyReply, type HttpReply, type HttpRequest, streamReply } from '../wire/http-message.ts';
import type { AuthInfo } from '../security/authorization.ts';
import { refuse } from '../security/host-and-origin.ts';
import { clientOf } from '../shares/client-key.ts';
import { makeRoom, noRoomText, type Place } from '../shares/make-room.ts';
import type { HttpLimits } from '../wire/limits.ts';
import { unref } from '../../platform/unref.ts';

/** The number of messages in a handshake: `initialize`, and the notification after it. */
const handshakeMessages = 2;

/** The conversation with one client. */
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

  /** Whether no request runs. The stream is not considered, because it is always open. */
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
 * The endpoint of HTTP+SSE: one stream with all messages to the client, and a path for its POST requests.
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
  open(authInfo: AuthInfo | undefined, address: string | undefined): HttpReply {
    const client = clientOf(authInfo, address);
    const end = (other: Conversation) => {
      // The stream of a client that does not read closes later, so the conversation is removed now.
      this.#forget(other);
      other.events.end();
    };
    if (!makeRoom(client, [...this.#conversations.values()], this.#limits, end)) {
      return refuse(503, noRoomText(this.#limits), { 'retry-after': '60' });
    }
    const principal = authInfo?.principal;
    const events = new EventStream();
    const outlet = sharedOutlet((text) => events.send({ name: 'message', data: text }), events);
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

  /** Takes a message of a client whose stream is open; the answer is sent on that stream. */
  post(request: HttpRequest, text: string, principal: string | undefined): HttpReply {
    const conversation = this.#conversations.get(request.query.get('sessionId') ?? '');
    if (!conversation || conversation.principal !== principal) {
      return refuse(404, 'No such session; open a stream first');
    }
    // A client that does not read its answers may not send more requests.
    if (conversation.events.congested) return refuse(503, 'Read the stream first', { 'retry-after': '1' });
    const { maxRequests } = this.#limits;
    if (conversation.connection.running >= maxRequests) {
      const message = `Too many requests at once; expected at most ${maxRequests}; try again later`;
      return refuse(503, message, { 'retry-after': '1' });
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
