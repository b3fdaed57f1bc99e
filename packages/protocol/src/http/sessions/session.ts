import { unref, within } from '@mcp/kit';
import type { Caller, Sender } from '../../define/caller.ts';
import { inNextTurn } from '../../platform/in-next-turn.ts';
import { invalidRequest } from '../../jsonrpc/error.ts';
import type { Incoming, Response } from '../../jsonrpc/message.ts';
import { quote } from '../../jsonrpc/quote.ts';
import { Connection } from '../../server/connection/connection.ts';
import type { Handshake } from '../../server/connection/handshake.ts';
import { type Outlet, sharedOutlet } from '../../server/call/outlet.ts';
import { lackingScopes } from '../../server/access.ts';
import type { Runtime } from '../../server/runtime.ts';
import type { EventStream } from '../wire/event-stream.ts';
import {
  emptyReply,
  type HttpReply,
  type HttpRequest,
  refuse,
  streamReply,
  tooMany,
} from '../wire/http-message.ts';
import type { HttpLimits } from '../wire/limits.ts';
import { ReplayLog } from './replay-log.ts';
import { ReplyOutlet } from '../wire/reply-outlet.ts';
import { type EventId, eventIdText, parseEventId } from './event-id.ts';
import { kindOf, responsesIn } from './incoming-kind.ts';
import type { SealedSession } from './session-seal.ts';
import { SessionStream } from './session-stream.ts';
import { PartOfSession } from './shared/part-of-session.ts';
import { SharedStream } from './shared/shared-stream.ts';
import type { SharedSessions } from './shared/shared-sessions.ts';

/** The maximum number of finished streams that a client may still resume. */
const maxEnded = 100;

export interface SessionOptions {
  readonly id: string;
  /** What the id says; undefined for a random id, whose session lives in this process alone. */
  readonly sealed?: SealedSession | undefined;
  readonly limits: HttpLimits;
  readonly principal: string | undefined;
  /** The key of the client: sessions with the same key share one limit, `maxSessionsPerClient`. */
  readonly client: string;
  readonly warn: (message: string) => void;
  /** What other processes have of the session; undefined if each process is alone. */
  readonly shared?:
    | {
        readonly sessions: SharedSessions;
        readonly expiresAt: number;
        readonly ended: (session: Session) => void;
      }
    | undefined;
}

/**
 * One client's conversation over HTTP, in revisions up to 2025-11-25: each request is answered on its own
 * POST, and messages outside of requests go to a stream that the client opens with GET.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
 */
export class Session {
  readonly id: string;
  readonly sealed: SealedSession | undefined;
  readonly principal: string | undefined;
  readonly client: string;
  lastUsed = Date.now();
  /** Whether the client has sent a request or opened the GET stream since the handshake. */
  used = false;
  readonly #limits: HttpLimits;
  readonly #log: ReplayLog;
  readonly #connection: Connection;
  readonly #standalone: SessionStream;
  readonly #streams = new Map<number, SessionStream | SharedStream>();
  /** Connects the session with its parts in other processes; undefined if they are alone. */
  readonly #part: PartOfSession | undefined;
  /** Tells the events of this session in this process from those in others. */
  readonly #sender: string | undefined;
  #nextStream = 0;
  /** Whether the client may have missed changes in another process. */
  #reopened = false;
  #isClosing = false;

  constructor(runtime: Runtime, { id, sealed, limits, principal, client, warn, shared }: SessionOptions) {
    this.id = id;
    this.sealed = sealed;
    this.#sender = sealed && crypto.randomUUID().slice(0, 8);
    this.principal = principal;
    this.client = client;
    this.#limits = limits;
    this.#log = new ReplayLog(limits.maxReplayLength);
    this.#standalone = this.#makeStream();
    const spread = sealed !== undefined;
    if (sealed && shared) {
      const { sessions, expiresAt } = shared;
      const logging = runtime.server.definition.logging === true;
      const ended = () => shared.ended(this);
      const maxLength = limits.maxReplayLength;
      const send = (text: string) => {
        const { connected } = this.#standalone;
        if (connected) this.#standalone.message(text);
        return connected;
      };
      this.#part = new PartOfSession({
        shared: sessions,
        sealed,
        expiresAt,
        maxLength,
        logging,
        ended,
        send,
        isOpen: () => this.#standalone.connected,
      });
    }
    const link = this.#part?.link;
    const outlet = outletOf(this.#standalone, this.#part);
    this.#connection = new Connection(runtime, outlet, { warn, spread, link });
    this.#part?.begin(this.#connection);
  }

  /** Continues a session that began in another process, or in this one before it left the memory. */
  reopen(handshake: Handshake, sender: Sender): void {
    this.#connection.begin(handshake, sender);
    this.#reopened = true;
    this.used = true;
  }

  /** Resolves once this process knows what other processes have changed in the session. */
  async restored(): Promise<void> {
    await this.#part?.restore();
  }

  /** The number of running requests. */
  get running(): number {
    return this.#connection.running;
  }

  /** The number of resources that are watched for the client here. */
  get subscriptions(): number {
    return this.#connection.subscriptions;
  }

  /** Whether no stream has a connection and no request runs. */
  get idle(): boolean {
    if (this.running > 0 || this.#part?.carries) return false;
    return ![...this.#streams.values()].some(({ connected }) => connected);
  }

  /** True once the handshake has succeeded. */
  get open(): boolean {
    return this.#connection.revision !== undefined;
  }

  /** Whether a POST may carry several messages. */
  get batches(): boolean {
    return this.#connection.revision?.batches ?? false;
  }

  /**
   * Takes the message or batch of one POST request and returns the HTTP answer. A stream with the answer is
   * resumed only for a caller with the scopes in `requires`.
   */
  async post(incoming: Incoming, sender: Sender, requires: readonly string[] = []): Promise<HttpReply> {
    this.lastUsed = Date.now();
    const kind = kindOf(incoming);
    if (kind === 'asking' && this.open) this.used = true;
    this.#initialized();
    // A request goes on when its client disconnects, so a limit of connections would not limit requests.
    const { maxRequests } = this.#limits;
    if (kind === 'asking' && this.#connection.running >= maxRequests) return tooMany('requests', maxRequests);
    const elsewhere = this.sealed ? responsesIn(incoming).filter((each) => !this.#awaits(each)) : [];
    if (elsewhere.length > 0 && !(await this.#part?.passOn(elsewhere)))
      return refuse(400, this.#part ? endedQuestion : unknownResponse);
    if (elsewhere.length > 0 && incoming.kind === 'response') return emptyReply(202);
    if (incoming.kind === 'notification') await this.#part?.notified(incoming.notification);
    const isNew = !this.open;
    const outlet = new ReplyOutlet({
      open: () => this.#openStream(requires, incoming),
      statusOf: (code) => (code === invalidRequest ? 400 : 200),
      // A sealed id is long: the client gets it once.
      headers: () => (this.open && (isNew || !this.sealed) ? { 'mcp-session-id': this.id } : {}),
    });
    this.#accept(incoming, outlet, sender);
    if (kind === 'malformed')
      return refuse(
        400,
        'Malformed response; expected an "id", and an object "result" or an "error" with "code" and "message"',
      );
    // Notifications and responses are acknowledged with a status alone.
    if (kind === 'telling') return emptyReply(202);
    if (this.#primes && !this.#isBrief(incoming) && !(await answeredSoon(outlet.reply))) outlet.stream();
    return outlet.reply;
  }

  /**
   * Takes a request that the endpoint refuses because its caller lacks a scope. The conversation refuses it
   * too, and ends the subscriptions that need the scope.
   */
  refuse(incoming: Incoming, sender: Sender): void {
    this.#accept(incoming, nowhere, sender);
  }

  /** Whether a request waits for the store alone, so that its answer needs no stream. */
  #isBrief(incoming: Incoming): boolean {
    return this.#part !== undefined && incoming.kind === 'request' && brief.has(incoming.request.method);
  }

  #accept(incoming: Incoming, outlet: Outlet, sender: Sender): void {
    const handshake = this.sealed?.handshake;
    this.#connection.accept(incoming, outlet, { sender: { ...sender, sessionId: this.id }, handshake });
  }

  #awaits({ id }: Response): boolean {
    return this.#connection.conversation?.requests.awaits(id) ?? false;
  }

  /** The client may have sent `notifications/initialized` to another process. */
  #initialized(): void {
    if (this.sealed) this.#connection.conversation?.initialized();
  }

  /** The scopes that the caller lacks to resume the stream that a GET request names. */
  lackingFor(
    request: HttpRequest,
    caller: Caller | undefined,
  ): readonly string[] | Promise<readonly string[]> {
    const event = parseEventId(request.header('last-event-id') ?? '');
    if (this.#part && isOfRequest(event))
      return this.#part
        .requiredFor(event)
        .then((requires) => lackingScopes({ definition: { requires } }, caller));
    const isOwn = event?.sender === this.#sender;
    const stream = isOwn && event ? this.#streams.get(event.stream) : undefined;
    const requires = stream instanceof SessionStream ? stream.requires : [];
    return lackingScopes({ definition: { requires } }, caller);
  }

  /** Opens the stream for messages that belong to no request, or resumes an interrupted stream. */
  get(request: HttpRequest, caller: Caller | undefined): HttpReply | Promise<HttpReply> {
    this.lastUsed = Date.now();
    this.used = true;
    const lastEventId = request.header('last-event-id');
    const event = parseEventId(lastEventId ?? '');
    if (this.#part && isOfRequest(event)) return this.#resume(event, this.#part);
    const isElsewhere = this.sealed && event?.sender !== undefined && event.sender !== this.#sender;
    if (isElsewhere && (event.subscribed || event.stream !== standalone)) return refuse(404, lostStream);
    this.#initialized();
    const carrier = this.#carrierFor(isElsewhere ? undefined : lastEventId, event);
    if (!carrier) return unknownEvent(lastEventId);
    const { conversation } = this.#connection;
    conversation?.seen(caller);
    if (this.#reopened || (isElsewhere && this.#part)) void conversation?.catchUp();
    this.#reopened = false;
    this.#part?.listen();
    carrier.whenClosed(() => this.#part?.left());
    return streamReply(this.#kept(carrier), { 'mcp-session-id': this.id });
  }

  /** Ends the conversation; running requests have `graceMs` to finish. */
  async close(graceMs = 0): Promise<void> {
    this.#isClosing = true;
    for (const stream of this.#streams.values()) if (stream instanceof SharedStream) stream.closing();
    if (graceMs > 0) await this.#connection.finish(graceMs);
    else await this.#connection.close();
    this.#part?.close();
    const streams = [...this.#streams.values()];
    for (const stream of streams) if (stream instanceof SessionStream) stream.end();
    const flushed = streams.flatMap((each) => (each instanceof SharedStream ? [each.flushed()] : []));
    await within(flushMs, Promise.all(flushed));
  }

  #carrierFor(lastEventId: string | undefined, event: EventId | undefined): EventStream | undefined {
    if (lastEventId === undefined) {
      const carrier = this.#standalone.attach();
      if (this.#primes) this.#standalone.prime();
      return carrier;
    }
    if (!event || event.sender !== this.#sender) return undefined;
    const stream = this.#streams.get(event.stream);
    return stream instanceof SessionStream ? stream.resume(event.place) : undefined;
  }

  async #resume(event: EventId, part: PartOfSession): Promise<HttpReply> {
    const carrier = await part.resume(event);
    if (!carrier) return unknownEvent(eventIdText(event), sendAgain);
    return streamReply(this.#kept(carrier), { 'mcp-session-id': this.id });
  }

  #eventId(stream: number, place: number): string {
    const subscribed = !this.#part && (this.#connection.conversation?.subscribed ?? false);
    return eventIdText({ sender: this.#sender, subscribed, stream, place });
  }

  /**
   * Whether each stream begins with an event without data, whose id lets the client resume the stream.
   * Clients of older revisions may fail on such an event.
   */
  get #primes(): boolean {
    return this.#connection.revision?.primesStreams ?? false;
  }

  #openStream(requires: readonly string[], incoming: Incoming): SessionStream | SharedStream {
    const stream = this.#part ? this.#makeShared(this.#part, requires, incoming) : this.#makeStream(requires);
    this.#kept(stream instanceof SharedStream ? stream.events : stream.attach());
    if (!this.#primes) return stream;
    if (stream instanceof SessionStream) stream.prime();
    const { maxStreamMs, retryMs } = this.#limits;
    if (maxStreamMs !== undefined) {
      const timer = unref(setTimeout(() => stream.interrupt(retryMs), maxStreamMs));
      stream.events.whenClosed(() => clearTimeout(timer));
    }
    return stream;
  }

  #makeStream(requires: readonly string[] = []): SessionStream {
    const idOf = (number: number, place: number) => this.#eventId(number, place);
    const stream = new SessionStream(this.#nextStream++, this.#log, requires, idOf);
    return this.#added(stream.number, stream);
  }

  #added<Stream extends SessionStream | SharedStream>(number: number, stream: Stream): Stream {
    this.#streams.set(number, stream);
    const ended = [...this.#streams].filter(([, each]) => each.ended);
    for (const [old] of ended.slice(0, -maxEnded)) this.#streams.delete(old);
    return stream;
  }

  #makeShared(part: PartOfSession, requires: readonly string[], incoming: Incoming): SharedStream {
    const number = this.#nextStream++;
    const event = { sender: this.#sender, subscribed: false, stream: number, place: 0 };
    const stream = part.openStream(event, { requires, incoming, primes: this.#primes });
    // A request that came before the end of the session may get its stream after it.
    if (this.#isClosing) stream.closing();
    return this.#added(number, stream);
  }

  #kept(carrier: EventStream): EventStream {
    carrier.keepAlive(this.#limits.keepAliveMs);
    carrier.renewed = (caller) => this.#connection.renewed(caller);
    carrier.whenClosed(() => (this.lastUsed = Date.now()));
    return carrier;
  }
}

/** The number of the stream for messages that belong to no request. */
const standalone = 0;
/** The methods that tell the other processes something. */
const brief: ReadonlySet<string> = new Set([
  'resources/subscribe',
  'resources/unsubscribe',
  'logging/setLevel',
]);
/** How long the end of a session waits for the store, in milliseconds. */
const flushMs = 2_000;

/** Whether an event is of the stream of a request, in a session that several processes have. */
function isOfRequest(event: EventId | undefined): event is EventId {
  return event?.sender !== undefined && event.stream !== standalone;
}

const readAgain = 'open a stream without this header, and read again what may have changed';
const sendAgain = 'what follows it is not stored; send the request again';

function unknownEvent(lastEventId: string | undefined, advice = readAgain): HttpReply {
  return refuse(400, `Unknown Last-Event-ID: ${quote(lastEventId)}; ${advice}`);
}

const lostStream =
  'The stream of this Last-Event-ID was lost with its process; send "initialize" to begin a new session';
const endedQuestion = 'No request of the server waits for this response; it has ended';
const unknownResponse =
  'No request of the server waits here for this response; it has ended, or it came from another process: ' +
  'route the requests of a session to one process';

/** Drops messages whose client has got another answer. */
const nowhere: Outlet = {
  respond() {},
  notify() {},
  abandon() {},
  shared: false,
  congested: false,
  drained: () => Promise.resolve(),
};

/**
 * A stream without a connection counts as congested: notifications wait for the next connection, and several
 * about the same resource or list are sent as one.
 */
function outletOf(stream: SessionStream, part: PartOfSession | undefined): Outlet {
  return sharedOutlet((text) => stream.message(text), {
    get congested() {
      return !stream.connected || stream.congested || part?.elsewhere === true;
    },
    async drained() {
      await part?.returned();
      await stream.drained();
    },
  });
}

async function answeredSoon(reply: Promise<HttpReply>): Promise<boolean> {
  const later = new Promise<false>((resolve) => inNextTurn(() => resolve(false)));
  return Promise.race([reply.then(() => true), later]);
}
