import { isObject, messageOf, stackOf } from '@mcp/kit';
import { type LogLevel, logLevels } from '../../define/call.ts';
import type { ProxySession } from '../../define/proxy/proxy.ts';
import type { Caller } from '../../define/caller.ts';
import type { Route } from '../../jsonrpc/channel.ts';
import type { Stop } from '../../define/resource.ts';
import { invalidParams, RpcError } from '../../jsonrpc/error.ts';
import { type JsonObject, notificationText } from '../../jsonrpc/message.ts';
import type { Revision } from '../../revisions/revision.ts';
import type { Peer } from '../call/active-call.ts';
import { ClientRequests } from '../call/client-requests.ts';
import type { Outlet } from '../call/outlet.ts';
import { notFound, uriParam } from '../call/params.ts';
import { ClientRoots } from './client-roots.ts';
import type { ConversationLink } from '../call/conversation-link.ts';
import type { Handshake } from './handshake.ts';
import { oneProcess, StreamGate } from './stream-gate.ts';
import { openSession } from '../proxy/open-session.ts';
import type { ListKind } from '../../define/live-list.ts';
import { lackingScopes } from '../access.ts';
import type { Runtime, View } from '../runtime.ts';
import { isStoreUnavailable } from '../../state/shared-store.ts';
import { stopAll } from '../watches/stop-all.ts';
import { PendingUpdates } from '../watches/pending-updates.ts';

/** Maximum number of simultaneous subscriptions, the same as in one `subscriptions/listen` request. */
const maxSubscriptions = 10_000;

interface ConversationOptions extends Pick<Peer, 'warn' | 'principal'> {
  readonly route?: Route | undefined;
  /** Whether several processes may have this conversation, each with a part of its requests. */
  readonly spread?: boolean | undefined;
  /** Connects its parts in several processes; undefined if each of them is alone. */
  readonly link?: ConversationLink | undefined;
}

/** The conversation that `initialize` opens, in revisions up to 2025-11-25. */
export class Conversation implements Peer {
  readonly revision: Revision;
  readonly capabilities: JsonObject;
  readonly requests: ClientRequests;
  readonly warn: ((message: string) => void) | undefined;
  readonly principal: string | undefined;
  readonly info: JsonObject;
  /** The session of a proxy for this client; undefined if the server is not a proxy. */
  readonly session: ProxySession | undefined;
  logLevel: LogLevel | undefined;
  readonly #runtime: Runtime;
  readonly #updates: PendingUpdates<{ method: string; params?: JsonObject }>;
  readonly #subscriptions = new Map<string, Promise<Stop>>();
  readonly #lists = new Map<ListKind, Promise<Stop | undefined>>();
  /** Undefined if the context of the handlers does not depend on the client's roots. */
  readonly #roots: ClientRoots | undefined;
  readonly #link: ConversationLink | undefined;
  /** Undefined if no other process may have this conversation, or if they are connected. */
  readonly #gate: StreamGate | undefined;
  #following = false;
  #caller: Caller | undefined;
  #closed = false;

  constructor(
    runtime: Runtime,
    { revision, capabilities, info }: Handshake,
    outlet: Outlet,
    { warn, principal, route, spread = false, link }: ConversationOptions,
  ) {
    this.#runtime = runtime;
    this.#link = link;
    this.#gate = spread && !link ? new StreamGate(outlet) : undefined;
    this.warn = warn;
    this.principal = principal;
    this.info = info;
    this.revision = revision;
    this.capabilities = capabilities;
    const { observer } = runtime;
    // An answer that arrives at another process must not be taken for the answer to a question of that one.
    const prefix = spread ? `${crypto.randomUUID()}-` : undefined;
    const observed = observer && { observer, revision: revision.version, route };
    const asks = link && prefix !== undefined ? () => link.asks(prefix) : undefined;
    this.requests = new ClientRequests(observed, prefix, asks);
    this.logLevel = runtime.server.definition.logging ? 'info' : undefined;
    this.#updates = new PendingUpdates(outlet, ({ method, params: details }) =>
      outlet.notify(notificationText(method, details)),
    );
    if (runtime.server.definition.contextFor && isObject(this.capabilities['roots'])) {
      this.#roots = new ClientRoots(runtime, this.requests, outlet, warn);
    }
    this.session = openSession(runtime, this, outlet, link);
    for (const kind of ['tools', 'prompts'] as const) void this.#watchList(kind);
    // The client may request the list of resources from another process.
    if (spread) void this.#watchResourcesSoon();
  }

  async #watchResourcesSoon(): Promise<void> {
    // A request that needs what cannot be loaded fails with the error.
    await this.#runtime.load().catch(() => undefined);
    if (this.#runtime.loaded && !this.#closed) await this.watchResources();
  }

  /** The context of the handlers in this conversation. */
  get view(): View {
    return this.#roots?.view ?? this.#runtime;
  }

  /** Whether the context for the client's newest roots is loaded. */
  get settled(): boolean {
    return this.#roots?.settled ?? true;
  }

  /** Loads that context. `outlet` is that of the request which needs it. */
  async settle(outlet?: Outlet): Promise<void> {
    // The stream for notifications may be in another process.
    await this.#roots?.settle(this.#link ? outlet : undefined);
  }

  /**
   * Called when the client has reported that its roots changed. Restarts the subscriptions with the context
   * for the new roots.
   */
  rootsChanged(): void {
    this.#roots?.changed();
    this.session?.rootsChanged();
    const isWatching = this.#link?.listening ?? true;
    if (this.#roots && isWatching && !this.#following) void this.#followRoots();
  }

  async #followRoots(): Promise<void> {
    this.#following = true;
    // Repeats, because the roots may change meanwhile. Errors of `settle` are ignored here: requests that
    // need the roots fail with them.
    do {
      await this.settle().catch(() => undefined);
      await this.#restartWatches().catch((error: unknown) => {
        this.warn?.(`A subscription cannot be restarted: ${messageOf(error)}`);
      });
    } while (this.#roots?.outOfDate);
    this.#following = false;
  }

  /**
   * Called with the caller of each message. When its scopes have changed, tells the client which lists look
   * different now, and ends the subscriptions for which a scope is missing.
   */
  seen(caller: Caller | undefined): void {
    const before = this.#caller;
    this.#caller = caller;
    if (before === caller || before === undefined || !this.#runtime.requiresScopes) return;
    for (const kind of this.#runtime.changedLists(before, caller)) this.#listChanged(kind);
    for (const uri of this.#subscriptions.keys()) {
      const found = this.#runtime.resource(uri);
      if (found && lackingScopes(found.resource, caller).length > 0)
        // The error of a watch that cannot be ended must not end the process.
        this.#drop(uri).catch((error: unknown) => {
          this.warn?.(`The subscription to "${uri}" could not be ended: ${stackOf(error)}`);
        });
    }
  }

  /** Called after the client's `notifications/initialized`: it now accepts notifications and requests. */
  initialized(): void {
    this.requests.ready();
    this.#updates.release();
  }

  setLogLevel(params: JsonObject): void | Promise<void> {
    const level = logLevels.find((known) => known === params['level']);
    if (!level) throw new RpcError(invalidParams, `"level" must be one of ${logLevels.join(', ')}`);
    this.logLevel = level;
    return this.#link?.levelSet(level);
  }

  /** Called when the client has set the level at another process. */
  levelChanged(level: LogLevel): void {
    this.logLevel = level;
    this.session?.setLogLevel(level).catch((error: unknown) => {
      this.warn?.(`The level of log messages cannot be set: ${messageOf(error)}`);
    });
  }

  async subscribe(params: JsonObject): Promise<void> {
    const uri = uriParam(params);
    if (this.#link) return this.#subscribeEverywhere(uri, this.#link);
    // Without a wait here, an `unsubscribe` that follows finds the subscription.
    const opening = this.#gate?.pass();
    if (opening) await opening;
    let subscription = this.#subscriptions.get(uri);
    if (!subscription) {
      if (this.#subscriptions.size >= maxSubscriptions) {
        throw new RpcError(
          invalidParams,
          `At most ${maxSubscriptions} resources can be subscribed to at once`,
        );
      }
      const watching = this.#watch(uri);
      if (!watching) throw notFound(this.revision, uri, `No resource to subscribe to: "${uri}"`);
      this.#subscriptions.set(uri, (subscription = watching));
    }
    try {
      await subscription;
    } catch (error) {
      if (this.#subscriptions.get(uri) === subscription) this.#subscriptions.delete(uri);
      throw notFound(this.revision, uri, messageOf(error));
    }
    // The id of this event tells other processes that the conversation has a subscription here.
    if (this.#gate) this.#updated(uri);
  }

  /** Subscribes at the process that has the stream for notifications, whether it is this one or another. */
  async #subscribeEverywhere(uri: string, link: ConversationLink): Promise<void> {
    // A resource that cannot be watched is an error here, too.
    const watching = this.#watch(uri);
    if (!watching) throw notFound(this.revision, uri, `No resource to subscribe to: "${uri}"`);
    const stop = await watching.catch((error: unknown) => {
      if (isStoreUnavailable(error)) throw error;
      throw notFound(this.revision, uri, messageOf(error));
    });
    try {
      await link.subscribed(uri, maxSubscriptions);
      if (link.listening) await this.follow(uri);
    } finally {
      await stop();
    }
  }

  /**
   * Notifies the client of changes of a resource from now on, and of one that may have happened before.
   * Throws a `StoreUnavailable` of its watch.
   */
  async follow(uri: string): Promise<void> {
    await this.settle().catch(() => undefined);
    if (!this.#subscriptions.has(uri)) {
      if (this.#closed || this.#subscriptions.size >= maxSubscriptions) return;
      const watching = this.#watch(uri);
      if (!watching) return;
      this.#subscriptions.set(uri, watching);
      try {
        await watching;
      } catch (error) {
        if (this.#subscriptions.get(uri) === watching) this.#subscriptions.delete(uri);
        if (isStoreUnavailable(error)) throw error;
        this.warn?.(`"${uri}" cannot be watched: ${messageOf(error)}`);
      }
    }
    this.#updated(uri);
  }

  /** Notifies the client of no more changes of a resource. */
  async unfollow(uri: string): Promise<void> {
    await this.#drop(uri);
  }

  async unsubscribe(params: JsonObject): Promise<void> {
    const uri = uriParam(params);
    await this.#link?.unsubscribed(uri);
    if (this.#gate && !this.#subscriptions.has(uri))
      throw new RpcError(invalidParams, `No subscription to "${uri}" in this process; ${oneProcess}`);
    await this.#drop(uri);
  }

  /** Whether the client has subscribed to a resource. */
  get subscribed(): boolean {
    return this.subscriptions > 0;
  }

  /** The number of resources that are watched for the client. */
  get subscriptions(): number {
    return this.#subscriptions.size;
  }

  /**
   * Called when the stream for notifications opens in this process, and may have been in another process
   * before: tells the client that each list may have changed.
   */
  async catchUp(): Promise<void> {
    await this.#watchResourcesSoon();
    for (const kind of ['tools', 'prompts', 'resources'] as const)
      if (this.#runtime.live[kind]) this.#listChanged(kind);
  }

  async #drop(uri: string): Promise<void> {
    const subscription = this.#subscriptions.get(uri);
    this.#subscriptions.delete(uri);
    const stop = await subscription?.catch(() => undefined);
    const stopped = stop?.();
    // Pending notifications are dropped at once, before the client can subscribe to the URI again.
    if (!this.#subscriptions.has(uri)) this.#updates.drop(uri);
    await stopped;
  }

  #watch(uri: string): Promise<Stop> | undefined {
    // Another process may have ended the subscription a moment ago.
    const updated = () => {
      if (!this.#link || this.#subscriptions.has(uri)) this.#updated(uri);
    };
    if (this.session) return this.session.watchResource(uri, updated);
    return this.#runtime.watchResource(uri, updated, this.#caller, this.view);
  }

  #updated(uri: string): void {
    this.#updates.add(uri, { method: 'notifications/resources/updated', params: { uri } });
  }

  /**
   * Restarts the subscriptions after a change of the roots, and tells the client that each subscribed
   * resource has changed, because its content may be different under the new roots.
   */
  async #restartWatches(): Promise<void> {
    for (const [uri, former] of this.#subscriptions) {
      const watching = this.#watch(uri);
      if (watching) this.#subscriptions.set(uri, watching);
      await watching?.catch(() => {
        if (this.#subscriptions.get(uri) === watching) this.#subscriptions.delete(uri);
      });
      await (
        await former.catch(() => undefined)
      )?.();
      this.#updated(uri);
    }
    const former = this.#lists.get('resources');
    if (!former) return;
    this.#lists.delete('resources');
    await this.watchResources();
    await (
      await former
    )?.();
    this.#listChanged('resources');
  }

  /** Watches the list of resources for this client. Resolves once the watch reports every later change. */
  async watchResources(): Promise<void> {
    await this.#watchList('resources');
  }

  #listChanged(kind: ListKind): void {
    const method = `notifications/${kind}/list_changed`;
    this.#updates.add(method, { method });
  }

  async #watchList(kind: ListKind): Promise<void> {
    if (!this.#runtime.live[kind]) return;
    let watching = this.#lists.get(kind);
    if (!watching) {
      const changed = () => this.#listChanged(kind);
      const starting =
        this.session?.watchList(kind, changed) ?? this.#runtime.watchList(kind, changed, this.view);
      watching = starting.catch((error: unknown) => {
        this.warn?.(`The list of ${kind} cannot be watched: ${messageOf(error)}`);
        return undefined;
      });
      this.#lists.set(kind, watching);
    }
    await watching;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.requests.close();
    this.#updates.clear();
    const stops = [...this.#subscriptions.values(), ...this.#lists.values()].map((starting) => {
      const stop = starting.catch(() => undefined);
      return async () => (await stop)?.();
    });
    this.#subscriptions.clear();
    this.#lists.clear();
    await stopAll(stops);
    await this.session?.close();
  }
}
