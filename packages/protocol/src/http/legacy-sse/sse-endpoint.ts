import type { Sender } from '../../define/caller.ts';
import { RpcError } from '../../jsonrpc/error.ts';
import { errorText, type Incoming } from '../../jsonrpc/message.ts';
import { type Outlet, sharedOutlet } from '../../server/call/outlet.ts';
import { Connection } from '../../server/connection/connection.ts';
import type { Runtime } from '../../server/runtime.ts';
import type { Access, StreamToken } from '../security/stream-token.ts';
import { EventStream } from '../wire/event-stream.ts';
import {
  emptyReply,
  type HttpReply,
  type HttpRequest,
  refuse,
  streamReply,
  tooMany,
} from '../wire/http-message.ts';
import { clientOf } from '../shares/client-key.ts';
import { makeRoom, noRoom, type SessionPlace } from '../shares/make-room.ts';
import type { HttpLimits } from '../wire/limits.ts';

/** The number of messages that a client sends in a handshake: `initialize`, and the notification after it. */
const handshakeMessages = 2;

interface Conversation extends SessionPlace {
  readonly id: string;
  readonly connection: Connection;
  readonly outlet: Outlet;
  readonly events: EventStream;
  readonly principal: string | undefined;
  /** The token of the last request; undefined without authorization. */
  readonly token: StreamToken | undefined;
  lastUsed: number;
  /** The number of messages that the client has sent. */
  messages: number;
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

  /**
   * Opens the stream of a client. When the stream ends, the conversation ends too.
   * @param hold ends the stream when its token is not valid any more
   */
  open(
    { caller }: Sender,
    address: string | undefined,
    hold: (events: EventStream, isAnswering: () => boolean) => StreamToken | undefined,
  ): HttpReply {
    const client = clientOf(caller, address);
    const end = (other: Conversation) => {
      // The conversation is removed at once: its stream closes much later if the client does not read.
      this.#forget(other);
      other.events.end();
    };
    if (!makeRoom(client, [...this.#conversations.values()], this.#limits, end)) {
      return noRoom(this.#limits);
    }
    const events = new EventStream();
    const outlet = sharedOutlet((text) => events.send({ name: 'message', data: text }), events);
    const connection = new Connection(this.#runtime, outlet, { warn: this.#warn });
    events.keepAlive(this.#limits.keepAliveMs);
    events.renewed = (renewed) => connection.renewed(renewed);
    const conversation: Conversation = {
      id: crypto.randomUUID(),
      connection,
      outlet,
      events,
      principal: caller?.principal,
      token: hold(events, () => connection.running > 0),
      client,
      lastUsed: Date.now(),
      messages: 0,
      // An open stream does not make a conversation busy, because the stream is always open.
      get idle() {
        return connection.running === 0;
      },
      get used() {
        return this.messages > handshakeMessages;
      },
    };
    events.whenClosed(() => this.#forget(conversation));
    this.#conversations.set(conversation.id, conversation);
    events.send({ name: 'endpoint', data: `${this.#postPath}?sessionId=${conversation.id}` });
    return streamReply(events);
  }

  #forget({ id, connection }: Conversation): void {
    this.#conversations.delete(id);
    void connection.close();
  }

  /** Takes a message of a client whose stream is open; the answer, or the error, is sent on that stream. */
  post(
    request: HttpRequest,
    incoming: Incoming | RpcError,
    sender: Sender,
    access: Access | undefined,
  ): HttpReply {
    const conversation = this.#conversations.get(request.query.get('sessionId') ?? '');
    if (!conversation || conversation.principal !== sender.caller?.principal) {
      return refuse(404, 'Unknown sessionId; open a stream to get one');
    }
    // A client that does not read its answers may not send more requests.
    if (conversation.events.congested)
      return refuse(503, 'Too many unread messages; read the stream, then try again', { 'retry-after': '1' });
    const { maxRequests } = this.#limits;
    if (conversation.connection.running >= maxRequests) return tooMany('requests', maxRequests);
    if (access) conversation.token?.renew(access);
    conversation.lastUsed = Date.now();
    conversation.messages++;
    const { connection, outlet, id: sessionId } = conversation;
    if (incoming instanceof RpcError) outlet.respond(errorText(undefined, incoming));
    else connection.accept(incoming, outlet, { sender: { ...sender, sessionId } });
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
