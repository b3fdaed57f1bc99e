import { isObject, stackOf, within } from '@mcp/kit';
import { type Caller, type Sender, unknownSender } from '../../define/caller.ts';
import type { Observation } from '../../define/observer.ts';
import type { Route } from '../../jsonrpc/channel.ts';
import { invalidRequest, RpcError } from '../../jsonrpc/error.ts';
import {
  classifyIncoming,
  errorText,
  type Id,
  type Incoming,
  type JsonObject,
  type Message,
  type Notification,
  notificationText,
  parse,
  type Response,
  resultText,
} from '../../jsonrpc/message.ts';
import { elementTexts } from '../../jsonrpc/json-source.ts';
import { quote } from '../../jsonrpc/quote.ts';
import { legalError } from '../../revisions/codes.ts';
import type { Revision } from '../../revisions/revision.ts';
import { latestLegacy, modern } from '../../revisions/table.ts';
import { ActiveCall, type Peer } from '../call/active-call.ts';
import { receiveBatch } from './batch.ts';
import { metaOf, paramsOf, peerIn, progressTokenIn, standsAlone } from './request-meta.ts';
import { Conversation } from './conversation.ts';
import type { ConversationLink } from '../call/conversation-link.ts';
import { type Handshake, handshakeIn } from './handshake.ts';
import { type Method, methods } from './dispatch.ts';
import { needsContext, needsNoLists } from './method-needs.ts';
import { observeRequest, routeOf } from './observe-request.ts';
import { forwardUnknown, proxiedMethods } from './proxied-methods.ts';
import type { Outlet } from '../call/outlet.ts';
import { notInitialized, retryAfterOf, rpcError, unknownMethod } from './request-errors.ts';
import { complete, type Result } from '../call/result.ts';
import { extensionMethod } from '../features/extensions.ts';
import { RunningCalls } from './running-calls.ts';
import type { Runtime } from '../runtime.ts';

export interface ConnectionOptions {
  /** Called with a warning that cannot be sent to the client. */
  readonly warn?: (message: string) => void;
  /** Called with the number of running requests, each time that it changes. */
  readonly running?: (count: number) => void;
  /** The sender of messages for which the transport gives no sender. Default: an unknown sender. */
  readonly sender?: Sender;
  /** How messages travel; undefined within one process, and over HTTP, where the sender says it. */
  readonly route?: Route | undefined;
  /** Whether other processes may have the conversation too, each with a part of its requests. Default: no. */
  readonly spread?: boolean;
  /** Connects the parts of the conversation in several processes. Default: each of them is alone. */
  readonly link?: ConversationLink | undefined;
}

/** What a transport already knows about a message when it passes the message on. */
interface Origin {
  /** The client as the `_meta` of a stateless request describes it, if the transport has read the `_meta`. */
  readonly peer?: Peer | undefined;
  /** The caller, session and HTTP headers of the message. Default: those of the whole connection. */
  readonly sender?: Sender | undefined;
  /** What an `initialize` decides, if the transport has read it. */
  readonly handshake?: Handshake | undefined;
}

type IncomingRequest = Message & { readonly kind: 'request' };

/**
 * The server's end of the connection to one client. Each message is classified independently of the others: a
 * request with the `_meta` of revision 2026-07-28 is stateless; any other request belongs to the conversation
 * that `initialize` opened.
 */
export class Connection {
  readonly #runtime: Runtime;
  readonly #outlet: Outlet;
  readonly #options: ConnectionOptions;
  readonly #calls: RunningCalls;
  readonly #methods: ReadonlyMap<string, Method>;
  #conversation: Conversation | undefined;
  #finishing = false;

  /** `outlet` gets the messages that belong to no request. */
  constructor(runtime: Runtime, outlet: Outlet, options: ConnectionOptions = {}) {
    this.#runtime = runtime;
    this.#outlet = outlet;
    this.#options = options;
    this.#methods = runtime.proxy ? proxiedMethods : methods;
    // Calls that wait for an answer of the client are not counted: at the maximum of running calls, the
    // transport stops reading for a while, and would read these answers late.
    const waiting = () => this.#conversation?.requests.size ?? 0;
    this.#calls = new RunningCalls(() => options.running?.(this.running - waiting()));
  }

  /** Takes one message as text. */
  receive(text: string, origin?: Origin): void {
    if (this.#finishing) return;
    let value: unknown;
    try {
      value = parse(text);
    } catch (error) {
      const known = rpcError(error);
      return this.#outlet.respond(errorText(undefined, known), known.code);
    }
    this.accept(classifyIncoming(value, text), this.#outlet, origin);
  }

  /**
   * Sends the answer to a message or batch to `outlet`. `origin` is what the transport already knows about
   * the message.
   */
  accept(incoming: Incoming, outlet: Outlet, origin: Origin = {}): void {
    if (this.#finishing) return;
    if (incoming.kind !== 'batch') return this.#receiveOne(incoming, outlet, origin);
    const { messages, text } = incoming;
    const texts = this.#runtime.proxy && text !== undefined ? elementTexts(text) : [];
    receiveBatch(messages, texts, outlet, this.#conversation?.revision, (message, to) =>
      this.#receiveOne(message, to, origin),
    );
  }

  #receiveOne(message: Message, outlet: Outlet, origin: Origin): void {
    try {
      if (message.kind === 'request') return this.#serve(message, outlet, origin);
      if (message.kind === 'notification') return this.#receiveNotification(message.notification);
      if (message.kind === 'response') return this.#receiveResponse(message.response);
      const error = { code: invalidRequest, message: message.reason };
      outlet.respond(errorText(message.id, error), invalidRequest);
    } catch (error) {
      // An error in one message must not end the process.
      this.#options.warn?.(`Cannot process a message: ${stackOf(error)}`);
    }
  }

  #serve(incoming: IncomingRequest, outlet: Outlet, origin: Origin): void {
    const { sender = this.#options.sender ?? unknownSender } = origin;
    const { observer } = this.#runtime;
    if (!observer) return this.#answer(incoming, outlet, origin, sender, undefined);
    const { route } = this.#options;
    const observation = observeRequest(observer, incoming.request, sender, {
      revision: this.revision,
      route,
    });
    const answer = () => this.#answer(incoming, outlet, origin, sender, observation);
    if (observation) observation.run(answer);
    else answer();
  }

  #answer(
    { request, text }: IncomingRequest,
    outlet: Outlet,
    origin: Origin,
    sender: Sender,
    observation: Observation | undefined,
  ): void {
    const { id, method } = request;
    let call: ActiveCall | undefined;
    try {
      const params = paramsOf(request);
      const meta = metaOf(params);
      if (method === 'initialize' && !standsAlone(meta))
        return this.#initialize(id, origin.handshake ?? handshakeIn(params), outlet, sender, observation);
      const peer = origin.peer ?? this.#peerOf(method, meta, sender);
      const conversation = peer instanceof Conversation ? peer : undefined;
      conversation?.seen(sender.caller);
      const { context } = conversation?.view ?? this.#runtime;
      call = new ActiveCall(id, peer, outlet, progressTokenIn(meta), context, sender);
      call.observation = observation;
      if (meta) call.meta = meta;
      if (this.#runtime.proxy) call.text = text;
      const run = this.#methodOf(method, peer);
      if (!run) throw unknownMethod(method, peer.revision);
      if (this.#calls.has(id)) {
        throw new RpcError(invalidRequest, `A request with the id ${quote(id)} is still being answered`);
      }
      const unsettled = conversation?.settled === false && needsContext(method);
      const result =
        unsettled || !(this.#runtime.loaded || needsNoLists(method))
          ? this.#runLoaded(run, call, params, unsettled ? conversation : undefined)
          : run(this.#runtime, call, params);
      if (result instanceof Promise) this.#track(call, result);
      else this.#respond(call, result);
    } catch (error) {
      call?.end();
      this.#fail(id, call?.revision ?? this.#conversation?.revision ?? modern, error, outlet, observation);
    }
  }

  /**
   * Returns the function that answers requests with this method from this peer; undefined if the revision or
   * the server does not have the method.
   */
  #methodOf(method: string, peer: Peer): Method | undefined {
    const runtime = this.#runtime;
    if (runtime.methodsIn(peer.revision).has(method))
      return this.#methods.get(method) ?? extensionMethod(runtime, method);
    return runtime.proxy && forwardUnknown(method);
  }

  /**
   * Runs a call after the lists are loaded and, in a conversation, after the context for the client's roots
   * is loaded.
   */
  async #runLoaded(
    run: Method,
    call: ActiveCall,
    params: JsonObject,
    conversation: Conversation | undefined,
  ): Promise<Result> {
    await this.#runtime.load();
    await conversation?.settle(call.outlet);
    call.context = (conversation?.view ?? this.#runtime).context ?? {};
    const result = run(this.#runtime, call, params);
    if (this.#finishing) call.finish?.();
    return result;
  }

  /** Called when the token of the client has got other scopes without a message. */
  renewed(caller: Caller): void {
    this.#conversation?.seen(caller);
    this.#calls.renewed(caller);
  }

  #peerOf(method: string, meta: JsonObject | undefined, sender: Sender): Peer {
    if (standsAlone(meta)) {
      return peerIn(meta, this.#runtime.server.definition.logging === true, this.#owned(sender));
    }
    if (this.#conversation) return this.#conversation;
    if (method === 'ping') return uninitialized;
    throw notInitialized();
  }

  #owned(sender: Sender): Pick<Peer, 'principal' | 'warn'> {
    return { principal: sender.caller?.principal, warn: this.#options.warn };
  }

  #initialize(
    id: Id,
    handshake: Handshake,
    outlet: Outlet,
    sender: Sender,
    observation: Observation | undefined,
  ): void {
    // Another `initialize` on the same connection starts a new conversation.
    void this.#closeConversation();
    const conversation = this.begin(handshake, sender);
    void this.#welcome(id, conversation, outlet, observation);
    this.#runtime.loadSoon();
  }

  /** Begins the conversation of this handshake, to which the client gets no answer. */
  begin(handshake: Handshake, sender: Sender): Conversation {
    this.#conversation = new Conversation(this.#runtime, handshake, this.#outlet, {
      ...this.#owned(sender),
      route: routeOf(sender, this.#options.route),
      spread: this.#options.spread,
      link: this.#options.link,
    });
    return this.#conversation;
  }

  /** Answers `initialize`. For a proxy, waits until the session knows which capabilities to declare. */
  async #welcome(
    id: Id,
    conversation: Conversation,
    outlet: Outlet,
    observation: Observation | undefined,
  ): Promise<void> {
    const { results, description } = this.#runtime;
    const { revision, session } = conversation;
    try {
      const { capabilities, instructions } = session ? await session.describe() : description;
      const result = complete({
        protocolVersion: revision.version,
        capabilities: this.#runtime.capabilitiesFor(conversation, capabilities),
        serverInfo: this.#runtime.info(revision),
        ...(instructions !== undefined && { instructions }),
      });
      outlet.respond(resultText(id, results.encode(revision, result)));
      observation?.ended({ kind: 'result', result: result.members });
    } catch (error) {
      this.#fail(id, revision, error, outlet, observation);
    }
  }

  #track(call: ActiveCall, result: Promise<Result>): void {
    const forget = this.#calls.add(call);
    void result.then(
      (value) => {
        this.#respond(call, value);
        forget();
      },
      (error: unknown) => {
        if (call.open) {
          call.end();
          this.#fail(call.id, call.revision, error, call.outlet, call.observation);
        }
        forget();
      },
    );
  }

  #respond(call: ActiveCall, result: Result): void {
    if (!call.open) return;
    const { id, revision, outlet, observation } = call;
    call.end();
    let text: string;
    try {
      text = resultText(id, this.#runtime.results.encode(revision, result));
    } catch (error) {
      return this.#fail(id, revision, error, outlet, observation);
    }
    outlet.respond(text);
    observation?.ended({ kind: 'result', result: result.members });
    // The result is sent before the cancellation: a client ends the request at the first of these two
    // messages, and it must get the result.
    if (call.finish && outlet.shared)
      outlet.notify(notificationText('notifications/cancelled', { requestId: id }));
  }

  #fail(
    id: Id,
    revision: Revision,
    error: unknown,
    outlet: Outlet,
    observation: Observation | undefined,
  ): void {
    const known = rpcError(error);
    if (known !== error && retryAfterOf(error) === undefined)
      this.#options.warn?.(`Request ${quote(id)} failed: ${stackOf(error)}`);
    const legal = legalError(revision, known);
    outlet.respond(errorText(id, legal), legal.code, retryAfterOf(error));
    observation?.ended({ kind: 'error', error: legal });
  }

  #receiveNotification({ method, params }: Notification): void {
    switch (method) {
      case 'notifications/initialized':
        return this.#conversation?.initialized();
      case 'notifications/cancelled':
        return this.cancel(params);
      case 'notifications/roots/list_changed':
        return this.#conversation?.rootsChanged();
      case 'notifications/progress':
        return;
      default:
        this.#options.warn?.(`Unknown notification: ${quote(method)}`);
    }
  }

  /** Takes the parameters of `notifications/cancelled`. */
  cancel(params: unknown): void {
    if (!isObject(params))
      return this.#options.warn?.('Ignored a notifications/cancelled without "requestId"');
    const { requestId, reason } = params;
    this.#calls.cancel(requestId as Id, typeof reason === 'string' ? new Error(reason) : undefined);
  }

  #receiveResponse(response: Response): void {
    if (this.#conversation?.requests.settle(response)) return;
    this.#options.warn?.(`Response with an unknown request id: ${quote(response.id)}`);
  }

  /** The conversation; undefined before `initialize`. */
  get conversation(): Conversation | undefined {
    return this.#conversation;
  }

  /** The revision of the conversation; undefined before `initialize`. */
  get revision(): Revision | undefined {
    return this.#conversation?.revision;
  }

  /** Whether a request with this id is being answered. */
  isRunning(id: unknown): boolean {
    return this.#calls.has(id as Id);
  }

  /** The number of resources that are watched for the client. */
  get subscriptions(): number {
    return (this.#conversation?.subscriptions ?? 0) + this.#calls.subscriptions;
  }

  /** The number of running requests, without open subscriptions. */
  get running(): number {
    return this.#calls.atWork;
  }

  /** Ends the subscriptions of stateless requests, with their results. */
  endSubscriptions(): void {
    this.#calls.endSubscriptions();
  }

  /** Ends all subscriptions, waits at most `graceMs` for running requests, and closes the connection. */
  async finish(graceMs: number): Promise<void> {
    this.#finishing = true;
    // Without other processes, the client's answers are no longer received, so handlers that wait for one
    // get an error.
    if (!this.#options.link) this.#conversation?.requests.close();
    await within(graceMs, this.#calls.finish());
    // The time for the cleanup is limited too, because a handler that hangs may also hang in its cleanup.
    await within(graceMs, this.close());
  }

  /** Cancels the running requests and closes the connection immediately. */
  async close(): Promise<void> {
    this.#calls.cancelAll();
    await this.#closeConversation();
  }

  async #closeConversation(): Promise<void> {
    try {
      await this.#conversation?.close();
    } catch (error) {
      this.#options.warn?.(`A subscription could not be ended: ${stackOf(error)}`);
    }
  }
}

const uninitialized: Peer = {
  revision: latestLegacy,
  capabilities: {},
  logLevel: undefined,
  requests: undefined,
};
