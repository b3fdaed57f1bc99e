import { abortable, callSafely, emitWarning, messageOf, safeWarn, stackOf } from '@mcp/kit';
import type { LogLevel } from '../define/call.ts';
import type { Observer } from '../define/observer.ts';
import type { Channel, Connector } from '../jsonrpc/channel.ts';
import { ConnectionClosed, NotDelivered } from '../jsonrpc/error.ts';
import type { JsonObject, Notification, Request } from '../jsonrpc/message.ts';
import type { Revision } from '../revisions/revision.ts';
import type { ClientOptions, SubscribeOptions } from './client-options.ts';
import type { Agreement, Link, LinkOwner } from './connection/link.ts';
import { Links, once } from './connection/links.ts';
import { openLink } from './connection/open-link.ts';
import { clientError, type Phase } from './client-error.ts';
import { answer } from './host/answer.ts';
import { capabilitiesOf } from './host/capabilities.ts';
import { HostRequests } from './host/host-requests.ts';
import { processNegotiations } from './connection/negotiation-cache.ts';
import { isLogMessage } from './log-message.ts';
import type { CallOptions } from './call-options.ts';
import { type AnswerInput, untilComplete } from './host/input-rounds.ts';
import type { Identity } from './connection/request-meta.ts';
import { checkResult, refuseUnknownType } from './results/check-result.ts';
import type { Results } from './results/results.ts';
import { Subscriptions } from './subscriptions/subscriptions.ts';
import { methodOf, type Topic } from './subscriptions/topic.ts';

export interface ClientRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly options: CallOptions;
  readonly headers?: { readonly [name: string]: string } | undefined;
}

/** Sends the requests of a client over its connection, and dispatches the messages of the server. */
export class Requester implements LinkOwner {
  /** Whether requests carry their metadata in headers as well, as over HTTP. */
  readonly http: boolean;
  readonly subscriptions: Subscriptions;
  readonly #connector: Connector;
  readonly #options: ClientOptions;
  readonly #warn: ((message: string) => void) | undefined;
  readonly #links: Links;
  readonly #hostRequests: HostRequests;
  readonly #identities = new Map<string, Identity>();
  readonly #listChanged: ((method: string) => void)[] = [];
  readonly #closing = new AbortController();
  #logLevel: LogLevel | undefined;

  constructor(server: Connector | Channel, options: ClientOptions) {
    const connector = 'hold' in server ? once(server, 'The server') : server;
    this.#connector = connector;
    this.http = connector.http ?? false;
    this.#options = options;
    this.#warn = options.onWarning && safeWarn((message) => options.onWarning?.(message));
    this.#logLevel = options.logLevel;
    this.#hostRequests = new HostRequests(options);
    const opening = {
      connector,
      reopens: !('hold' in server),
      owner: this,
      revision: options.revision,
      probeTimeoutMs: options.probeTimeoutMs ?? 5_000,
      negotiations: 'hold' in server ? new Map() : (options.negotiations ?? processNegotiations),
    };
    this.#links = new Links(() => this.#connected(openLink(opening)), !('hold' in server));
    this.subscriptions = new Subscriptions(this.#links, this, options);
  }

  warn(message: string): void {
    this.#warn?.(message);
  }

  /** Reports an error in the host's own code: to `onWarning` or else as a warning of the process. */
  listenerFailed(message: string): void {
    (this.#warn ?? emitWarning)(message);
  }

  /** Opens the first connection. If `signal` aborts before the connection is open, closes the client. */
  async connect(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const close = () => void this.close();
    signal?.addEventListener('abort', close);
    try {
      await this.#links.get();
    } catch (error) {
      signal?.throwIfAborted();
      this.fail('handshake', undefined, error);
    } finally {
      signal?.removeEventListener('abort', close);
    }
  }

  get declaredCapabilities(): JsonObject {
    return capabilitiesOf(this.#options, this.agreement.revision);
  }

  get agreement(): Agreement {
    return this.#links.last.agreement;
  }

  /** Calls `changed` with the method of each notification that a list has changed. */
  whenListChanged(changed: (method: string) => void): void {
    this.#listChanged.push(changed);
  }

  /** Sends a request and returns its result, which may require inputs. */
  send(method: string, params: JsonObject, options: CallOptions = {}): Promise<JsonObject> {
    return this.sendCall({ method, params, options });
  }

  sendCall(call: ClientRequest): Promise<JsonObject> {
    return this.#send(call, (result) => result);
  }

  /** Sends a request, provides the inputs that the server requires, and returns the checked result. */
  checked<M extends keyof Results>(
    method: M,
    params: JsonObject,
    options: CallOptions = {},
  ): Promise<Results[M]> {
    return this.complete({ method, params, options }, (result) => checkResult(method, result));
  }

  /**
   * Sends a request, and provides the inputs that the server requires, until the result is complete or names
   * a task. Then calls `finish` with this result and returns what `finish` returns; an error of `finish`
   * becomes the call's {@link ClientError}.
   */
  complete<T>(call: ClientRequest, finish: (result: JsonObject) => T | Promise<T>): Promise<T> {
    return this.#send(call, (result) =>
      result['resultType'] === 'input_required' && this.agreement.revision.stateless
        ? this.#withInputs(call, result, finish)
        : finish(result),
    );
  }

  get observer(): Observer | undefined {
    return this.#options.observe;
  }

  get timeoutMs(): number | undefined {
    return this.#options.timeoutMs;
  }

  get maxTimeoutMs(): number | undefined {
    return this.#options.maxTimeoutMs;
  }

  get firstId(): number | undefined {
    return this.#options.firstId;
  }

  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Answers a request within a server's result; rejects if `signal` aborts or the client closes. */
  answer(method: string, params: JsonObject | undefined, signal?: AbortSignal): Promise<JsonObject> {
    const closing = this.#closing.signal;
    const until = signal ? AbortSignal.any([signal, closing]) : closing;
    return abortable(answer(this.#options, method, params, { signal: until }), until);
  }

  /**
   * Returns the result of `work`. An error of `work` becomes a {@link ClientError} that names `method`; if
   * `signal` has aborted, throws the signal's reason instead.
   */
  async guard<T>(method: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      return this.fail('call', method, error);
    }
  }

  async subscribe(
    topic: Topic,
    changed: () => void,
    options: SubscribeOptions,
  ): Promise<() => Promise<void>> {
    const listener = { changed, lost: (error: Error) => options.onLost?.(error) };
    const method = methodOf(topic, this.agreement.revision);
    const stop = await this.guard(method, () => this.subscriptions.add(topic, listener));
    return () => this.guard(method, stop);
  }

  async setLogLevel(level: LogLevel): Promise<void> {
    this.#logLevel = level;
    this.#identities.clear();
    if (!this.agreement.revision.stateless) await this.send('logging/setLevel', { level });
  }

  notify(method: string, params?: JsonObject): void {
    this.#links.live?.notify(method, params);
  }

  async close(): Promise<void> {
    this.subscriptions.clear();
    this.#closing.abort(new ConnectionClosed('The client has closed the connection'));
    await this.#links.close();
  }

  // Not async, because that would make more promises and slow each call down. This function makes two
  // promises: one for the response, and one for the result that the caller gets.
  #send<T>(call: ClientRequest, finish: (result: JsonObject) => T | Promise<T>): Promise<T> {
    const { live } = this.#links;
    const sent = live
      ? sendOver(live, call)
      : this.#reconnectedFor(call).then((link) => sendOver(link, call));
    return sent.then(
      (result) => this.#finish(call, result, finish),
      (error: unknown) => this.#failed(call, error, finish),
    );
  }

  #finish<T>(
    { method }: ClientRequest,
    result: JsonObject,
    finish: (result: JsonObject) => T | Promise<T>,
  ): T | Promise<T> {
    try {
      return finish(refuseUnknownType(method, result));
    } catch (error) {
      return this.fail('call', method, error);
    }
  }

  /** Sends the request again in a new session if its session has ended. Otherwise throws `error`. */
  async #failed<T>(
    call: ClientRequest,
    error: unknown,
    finish: (result: JsonObject) => T | Promise<T>,
  ): Promise<T> {
    const { method, options } = call;
    const fail = (reason: unknown): never => {
      if (options.signal?.aborted) throw options.signal.reason;
      return this.fail('call', method, reason);
    };
    if (!(error instanceof NotDelivered) || !this.#links.reopens) return fail(error);
    const link = await this.#reconnectedFor(call);
    return this.#finish(call, await sendOver(link, call).catch(fail), finish);
  }

  #withInputs<T>(
    call: ClientRequest,
    first: JsonObject,
    finish: (result: JsonObject) => T | Promise<T>,
  ): Promise<T> {
    const { method, params, options } = call;
    const send = (inner: JsonObject) => this.sendCall({ ...call, params: inner });
    const answerInput: AnswerInput = (requested, given) => this.answer(requested, given, options.signal);
    const work = async () => finish(await untilComplete(method, params, first, send, answerInput));
    return this.guard(method, work, options.signal);
  }

  /** Opens a connection for a call; the call can be cancelled while the connection opens. */
  #reconnectedFor({ options: { signal, canceller } }: ClientRequest): Promise<Link> {
    const opening = this.#links.get().catch((error: unknown) => this.fail('handshake', undefined, error));
    if (!canceller) return signal ? abortable(opening, signal) : opening;
    const cancelled = new AbortController();
    canceller((reason) => cancelled.abort(reason));
    return abortable(opening, signal ? AbortSignal.any([signal, cancelled.signal]) : cancelled.signal);
  }

  /** Throws an error as a {@link ClientError}. */
  fail(phase: Phase, method: string | undefined, error: unknown): never {
    throw clientError({ server: this.#connector.name, phase, method }, error);
  }

  /** Sends the log level of the client over a connection that was just opened, and returns the connection. */
  async #connected(opened: Promise<Link>): Promise<Link> {
    const link = await opened;
    const { revision, capabilities } = link.agreement;
    if (this.#logLevel && !revision.stateless && capabilities['logging']) {
      // A refusal is only a warning: the server can be used without its log.
      await link
        .request('logging/setLevel', { level: this.#logLevel })
        .catch((error: unknown) => this.warn(`The server refused the log level: ${messageOf(error)}`));
    }
    return link;
  }

  identity(revision: Revision): Identity {
    const known = this.#identities.get(revision.version);
    if (known) return known;
    const { name = '@mcp/protocol', version = '0' } = this.#options;
    const capabilities = capabilitiesOf(this.#options, revision);
    const identity = { info: { name, version }, capabilities, logLevel: this.#logLevel };
    this.#identities.set(revision.version, identity);
    return identity;
  }

  answerRequest(request: Request, link: Link): Promise<JsonObject> {
    return this.#hostRequests.answer(request, link.revision, link.ended);
  }

  missed(link: Link): void {
    this.subscriptions.missed(link);
  }

  ended(link: Link, reason: Error | undefined): void {
    this.subscriptions.ended(link);
    this.#callBack('onClose', () => this.#options.onClose?.(reason));
  }

  notified(notification: Notification, link: Link): void {
    const { method, params = {} } = notification;
    if (method === 'notifications/message') {
      if (isLogMessage(params)) return this.#callBack('onLog', () => this.#options.onLog?.(params));
      return this.warn('Invalid "level" in a log message of the server');
    }
    if (method === 'notifications/cancelled') return this.#hostRequests.cancelled(params);
    if (method.endsWith('/list_changed')) for (const changed of this.#listChanged) changed(method);
    if (this.subscriptions.take(notification, link)) return;
    this.#callBack('onNotification', () => this.#options.onNotification?.(method, params));
  }

  /** Calls a callback of the host. Its error becomes a warning, and ends neither process nor connection. */
  #callBack(name: string, callback: () => unknown): void {
    callSafely(callback, (error) =>
      this.listenerFailed(`The callback "${name}" has failed: ${stackOf(error)}`),
    );
  }
}

function sendOver(link: Link, { method, params, options, headers }: ClientRequest): Promise<JsonObject> {
  return link.request(method, params, options, headers);
}
