import { abortable, messageOf } from '@mcp/kit';
import type { LogLevel } from '../define/call.ts';
import type { Channel, Connector } from '../jsonrpc/channel.ts';
import { ConnectionClosed, NotDelivered } from '../jsonrpc/error.ts';
import type { JsonObject, Notification } from '../jsonrpc/message.ts';
import { Callbacks } from './callbacks.ts';
import type { ClientOptions, SubscribeOptions } from './client-options.ts';
import type { Link, LinkOwner } from './connection/link.ts';
import { Links, once } from './connection/links.ts';
import { openLink } from './connection/open-link.ts';
import { clientError, type Phase } from './client-error.ts';
import { answer } from './host/answer.ts';
import { capabilitiesOf } from './host/capabilities.ts';
import { HostRequests } from './host/host-requests.ts';
import type { Agreement } from './connection/handshake.ts';
import { processNegotiations } from './connection/negotiation-cache.ts';
import { isLogMessage } from './log-message.ts';
import type { CallOptions } from './call-options.ts';
import { untilComplete } from './host/input-rounds.ts';
import { type Identity, withMeta } from './connection/request-meta.ts';
import { checkResult, refuseUnknownType } from './results/check-result.ts';
import type { Results } from './results/results.ts';
import { Subscriptions } from './subscriptions/subscriptions.ts';
import type { Topic } from './subscriptions/topic.ts';

const defaultBackoff = { minMs: 500, maxMs: 30_000 };

/** One request of a client. */
export interface ClientRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly options: CallOptions;
  readonly headers?: { readonly [name: string]: string } | undefined;
}

/** Sends the requests of a client over its connection, and dispatches the messages of the server. */
export class Requester {
  /** Whether requests carry their metadata in headers as well. */
  readonly http: boolean;
  readonly subscriptions: Subscriptions;
  readonly #connector: Connector;
  readonly #options: ClientOptions;
  readonly #callbacks: Callbacks;
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
    this.#callbacks = new Callbacks(options);
    this.#logLevel = options.logLevel;
    this.#hostRequests = new HostRequests(options);
    const opening = {
      connector,
      reopens: !('hold' in server),
      owner: this.#owner(),
      revision: options.revision,
      probeTimeoutMs: options.probeTimeoutMs ?? 5_000,
      negotiations: 'hold' in server ? new Map() : (options.negotiations ?? processNegotiations),
    };
    this.#links = new Links(() => this.#connected(openLink(opening)), !('hold' in server));
    this.subscriptions = this.#subscriptions();
  }

  warn(message: string): void {
    this.#callbacks.warn(message);
  }

  /** Opens the first connection; closes it if `signal` aborts before that. */
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
   * Sends a request and provides the inputs that the server requires, until it has a result or a task.
   * Returns what `finish` returns for that; what `finish` throws becomes a {@link ClientError} of the call.
   */
  complete<T>(call: ClientRequest, finish: (result: JsonObject) => T | Promise<T>): Promise<T> {
    return this.#send(call, (result) =>
      result['resultType'] === 'input_required' ? this.#withInputs(call, result, finish) : finish(result),
    );
  }

  /** The maximum time of a call, which progress does not extend; undefined for the default. */
  get maxTimeoutMs(): number | undefined {
    return this.#options.maxTimeoutMs;
  }

  /**
   * Answers a request of the server that was part of a result, until `signal` aborts or the client closes.
   */
  answer(method: string, params: JsonObject | undefined, signal?: AbortSignal): Promise<JsonObject> {
    const closing = this.#closing.signal;
    const until = signal ? AbortSignal.any([signal, closing]) : closing;
    return abortable(answer(this.#options, method, params, { signal: until }), until);
  }

  /** Returns the result of `work`; throws its error as a {@link ClientError} of the call. */
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
    const method = 'subscriptions/listen';
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
    this.#closing.abort(new ConnectionClosed('The connection was closed on this side'));
    await this.#links.close();
  }

  // Not async: a call has one promise for its response and one for what `finish` returns. More would slow it
  // down.
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

  /** Sends a request again in a new session if the server has refused it because the session has ended. */
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
    return this.guard(
      method,
      async () =>
        finish(
          await untilComplete(
            method,
            params,
            first,
            (inner) => this.sendCall({ ...call, params: inner }),
            (requested, given) => this.answer(requested, given, options.signal),
          ),
        ),
      options.signal,
    );
  }

  /** Opens a connection for a call, which can be cancelled meanwhile. */
  #reconnectedFor({ options: { signal, canceller } }: ClientRequest): Promise<Link> {
    const opening = this.#links.get().catch((error: unknown) => this.fail('handshake', undefined, error));
    if (!canceller) return signal ? abortable(opening, signal) : opening;
    const cancelled = new AbortController();
    canceller((reason) => cancelled.abort(reason));
    return abortable(opening, signal ? AbortSignal.any([signal, cancelled.signal]) : cancelled.signal);
  }

  /** Throws an error as a {@link ClientError}. */
  fail(phase: Phase, method: string | undefined, error: unknown): never {
    throw clientError(
      { server: this.#connector.name, phase, ...(method !== undefined && { method }) },
      error,
    );
  }

  /** Sends the log level of the client over a connection that was just opened, and returns the connection. */
  async #connected(opened: Promise<Link>): Promise<Link> {
    const link = await opened;
    const { revision, capabilities } = link.agreement;
    if (this.#logLevel && !revision.stateless && capabilities['logging']) {
      // A refusal is only a warning: the server can be used without its log.
      await link
        .send(revision, 'logging/setLevel', { level: this.#logLevel })
        .catch((error: unknown) => this.warn(`The server refused the log level: ${messageOf(error)}`));
    }
    return link;
  }

  #owner(): LinkOwner {
    const options = this.#options;
    const info = { name: options.name ?? '@mcp/protocol', version: options.version ?? '0' };
    return {
      info,
      timeoutMs: options.timeoutMs,
      maxTimeoutMs: options.maxTimeoutMs,
      closing: this.#closing.signal,
      identity: (revision) => {
        const known = this.#identities.get(revision.version);
        if (known) return known;
        const identity = { info, capabilities: capabilitiesOf(options, revision), logLevel: this.#logLevel };
        this.#identities.set(revision.version, identity);
        return identity;
      },
      answer: (request, link) => this.#hostRequests.answer(request, link.revision, link.ended),
      notification: (notification, link) => this.#take(notification, link),
      missed: (link) => this.subscriptions.missed(link),
      ended: (link, reason) => {
        this.subscriptions.ended(link);
        this.#callbacks.run('onClose', () => options.onClose?.(reason));
      },
      warn: (message) => this.warn(message),
      listenerFailed: (message) => this.#callbacks.failed(message),
    };
  }

  #subscriptions(): Subscriptions {
    const { timeoutMs = 60_000, backoff = defaultBackoff } = this.#options;
    const links = this.#links;
    return new Subscriptions({
      timeoutMs,
      backoff,
      get reopens() {
        return links.reopens;
      },
      link: () => links.get(),
      params: (link, params, identity) => {
        const { revision } = link.agreement;
        return withMeta(params, revision, identity ?? this.#owner().identity(revision), undefined);
      },
      request: (link, method, params) => link.send(link.agreement.revision, method, params),
      warn: (message) => this.warn(message),
      listenerFailed: (message) => this.#callbacks.failed(message),
    });
  }

  #take(notification: Notification, link: Link): void {
    const { method, params = {} } = notification;
    if (method === 'notifications/message') {
      if (isLogMessage(params)) return this.#callbacks.run('onLog', () => this.#options.onLog?.(params));
      return this.warn('Invalid "level" in a log message of the server');
    }
    if (method === 'notifications/cancelled') return this.#hostRequests.cancelled(params);
    if (method.endsWith('/list_changed')) for (const changed of this.#listChanged) changed(method);
    if (this.subscriptions.take(notification, link)) return;
    this.#callbacks.run('onNotification', () => this.#options.onNotification?.(method, params));
  }
}

function sendOver(link: Link, { method, params, options, headers }: ClientRequest): Promise<JsonObject> {
  return link.send(link.agreement.revision, method, params, options, headers);
}
