import type { LogLevel } from '@mcp/protocol';
import type { Client, ListKind } from '@mcp/protocol/client';
import { isObject, messageOf, within } from '@mcp/kit';
import { HostError } from '../../errors.ts';
import { isStateless } from '../../servers/is-stateless.ts';
import { type ListItems, type ListName, lists, readList } from '../../servers/lists.ts';
import type { ServedTools } from '../../policy/served-tools.ts';
import type { Servers } from '../../servers/servers.ts';
import { ExclusiveConnections } from './exclusive-connections.ts';
import { type ConnectionOwner, ServerConnection } from './server-connection.ts';
import { Subscriptions } from './subscriptions.ts';

/** The lists of a server as its client last read them. */
export type ReadLists = { [K in ListName]: readonly ListItems[K][] };

export interface LinkOptions {
  readonly servers: Servers;
  /** The tools that the client gets; all if undefined. */
  readonly servedTools: ServedTools | undefined;
  readonly owner: ConnectionOwner;
  /** Whether the client wants the log messages of all its calls. */
  readonly wantsLogs: boolean;
  /** Milliseconds that a client's request for a list waits for the server to start. */
  readonly listWaitMs: number;
  /** The level of log messages that the client has set, for the connections that only this client uses. */
  readonly logLevel: () => LogLevel | undefined;
  /** Called after a list of the server was read. */
  readonly onListed: (kind: ListName) => void;
  /** Called when a list of the server has changed. */
  readonly onChange: (kind: ListKind) => void;
}

const changedKinds = ['tools', 'resources', 'prompts'] as const;

/**
 * Milliseconds between a failed start and the next attempt: at first `minRetryMs`, then doubled after each
 * failure up to `maxRetryMs`.
 */
const minRetryMs = 1_000;
const maxRetryMs = 60_000;

/** The phases of failures that the user can remedy without changing the configuration. */
const refusals: readonly string[] = ['consent', 'authorization'];

/** The phases of failures after which no timer starts the server again. */
const finalPhases: readonly string[] = ['configuration', ...refusals];

function isRefusal(error: Error): boolean {
  return error instanceof HostError && refusals.includes(error.phase);
}

/**
 * The link between one client of the gateway and one server. Starts the server when the client needs it, and
 * again after a failure.
 */
export class ServerLink {
  readonly name: string;
  readonly lists: ReadLists = { tools: [], resources: [], resourceTemplates: [], prompts: [] };
  /** Why the last start failed. */
  error: Error | undefined;
  connection: ServerConnection | undefined;
  readonly subscriptions: Subscriptions;
  readonly #options: LinkOptions;
  readonly #closed = new AbortController();
  readonly #exclusive: ExclusiveConnections;
  #opening: Promise<ServerConnection> | undefined;
  /** Resolves when the server sends a request to the client before its lists have been read. */
  readonly #asked: Promise<void>;
  #startedAt: number | undefined;
  #retryMs = minRetryMs;
  #retry: NodeJS.Timeout | undefined;
  readonly #stops: (() => void | Promise<void>)[] = [];
  /**
   * Whether the client got a list without this server's items, and must be notified when the server has
   * started.
   */
  #wasMissing = false;
  /** The JSON of the tools as the server listed them, before the filter was applied. */
  #listedTools = '';

  /**
   * `subscriptions` are taken over from an earlier link to the same server; a new connection makes them
   * again.
   */
  constructor(name: string, options: LinkOptions, subscriptions = new Subscriptions()) {
    const { servers, owner } = options;
    this.name = name;
    this.subscriptions = subscriptions;
    let asked = () => {};
    this.#asked = new Promise((resolve) => (asked = resolve));
    this.#options = { ...options, owner: { ...owner, asked } };
    this.#exclusive = new ExclusiveConnections(() =>
      ServerConnection.open(servers, name, owner, this.#closed.signal),
    );
  }

  /** Starts the server if necessary, and waits until its lists are read. Rejects with a `HostError`. */
  open(): Promise<ServerConnection> {
    if (this.connection) return Promise.resolve(this.connection);
    this.#startedAt ??= performance.now();
    clearTimeout(this.#retry);
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  /** Applies changed filters by reading the tools again. */
  async adjust(): Promise<void> {
    if (!this.connection) return;
    this.#listedTools = '';
    await this.#read(this.connection, 'tools');
    this.#options.onChange('tools');
  }

  /** Returns a connection on which only the caller's call runs, until the caller releases it. */
  async acquire(): Promise<ServerConnection> {
    await this.open();
    return this.#exclusive.acquire();
  }

  release(connection: ServerConnection): void {
    this.#exclusive.release(connection);
  }

  /**
   * Waits until the server has started or failed, at most until `listWaitMs` after its first start. If
   * `answers` is false, the client cannot answer requests yet, so the wait also ends when the server sends
   * one.
   */
  async waitForStart(answers = true): Promise<void> {
    if (this.connection) return;
    if (this.error && !this.#opening) {
      this.#wasMissing = true;
      // Starts the server again: once the user has consented or logged in, this succeeds.
      if (isRefusal(this.error)) void this.open().catch(() => {});
      return;
    }
    const opening = this.open();
    const startedAt = this.#startedAt ?? 0;
    const started = answers ? opening : Promise.race([opening, this.#asked]);
    await within(
      startedAt + this.#options.listWaitMs - performance.now(),
      started.catch(() => {}),
    );
    if (!this.connection) this.#wasMissing = true;
  }

  /**
   * Reads a list again, unless the server sends a notification when the list changes. If the server does not
   * answer in time, the list that was read last is kept.
   */
  async refresh(kind: ListName): Promise<void> {
    // Only a client that sent `initialize` can answer requests of a server while it waits for a list. For
    // other clients, the wait ends when the server sends a request.
    await this.waitForStart(this.#options.owner.identity.converses);
    const { connection } = this;
    if (!connection || notifies(connection.client, lists[kind].capability)) return;
    await within(this.#options.listWaitMs, this.#read(connection, kind));
  }

  /**
   * Sets the log level that the client wants, but not on a shared connection, where it would apply to other
   * clients, too.
   */
  async setLogLevel(level: LogLevel): Promise<void> {
    const { connection } = this;
    const { owner } = this.#options;
    if (!connection || connection.isShared || !connection.logs) return;
    await connection.client
      .setLogLevel(owner.identity.logLevelFor(level) ?? level)
      .catch((error: unknown) => this.#warn('the server refused the log level', error));
  }

  async close(): Promise<void> {
    this.#closed.abort(new Error('The client has disconnected'));
    clearTimeout(this.#retry);
    for (const stop of this.#stops.splice(0)) void Promise.resolve(stop()).catch(() => {});
    await this.#exclusive.close();
  }

  async #open(): Promise<ServerConnection> {
    const { servers, owner, wantsLogs, logLevel, onChange } = this.#options;
    // Clients share a connection to a server of 2026-07-28, because each request names its client. A client
    // that wants log messages gets its own connection, because a log message does not say for which client it
    // is.
    const canShare = (client: Client) =>
      isStateless(client) && !(wantsLogs && client.capabilities['logging'] !== undefined);
    try {
      const { signal } = this.#closed;
      const connection = await ServerConnection.open(servers, this.name, owner, signal, canShare);
      await this.#prepare(connection);
      this.connection = connection;
      const level = logLevel();
      if (level) await this.setLogLevel(level);
      this.error = undefined;
      this.#retryMs = minRetryMs;
      if (this.#wasMissing) for (const kind of changedKinds) onChange(kind);
      this.#wasMissing = false;
      if (this.subscriptions.size > 0) await this.subscriptions.resume(connection.client);
      return connection;
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  /** Reads the lists of the server, and follows their changes. A list that cannot be read is empty. */
  async #prepare(connection: ServerConnection): Promise<void> {
    const { signal } = this.#closed;
    // Added before the server's lists are read, so that `close` can end the connection while they are being
    // read.
    if (!connection.isShared) this.#exclusive.add(connection);
    if (signal.aborted) {
      await this.#exclusive.close();
      throw signal.reason;
    }
    await Promise.all([
      ...(Object.keys(this.lists) as ListName[]).map((kind) => this.#read(connection, kind)),
      ...changedKinds.map((kind) => this.#follow(connection, kind)),
    ]);
  }

  async #follow(connection: ServerConnection, kind: ListKind): Promise<void> {
    const { client } = connection;
    if (!notifies(client, kind)) return;
    const read = kind === 'resources' ? (['resources', 'resourceTemplates'] as const) : [kind];
    const changed = async () => {
      await Promise.all(read.map((each) => this.#read(connection, each)));
      this.#options.onChange(kind);
    };
    try {
      this.#stops.push(await client.watchList(kind, () => void changed()));
    } catch (error) {
      this.#warn(`the client is not told when the list of ${kind} changes`, error);
    }
  }

  async #read<K extends ListName>({ client, entry }: ServerConnection, kind: K): Promise<void> {
    const { identity } = this.#options.owner;
    if (client.capabilities[lists[kind].capability] === undefined) return;
    const { servedTools } = this.#options;
    if (kind !== 'tools' && servedTools?.serves(this.name, client.serverInfo?.name) === false) return;
    try {
      const options = { identity: identity.at(undefined), signal: this.#closed.signal };
      const items = await readList(client, entry, kind, options);
      if (kind !== 'tools') return this.#take(kind, items);
      const listed = JSON.stringify(items);
      // The server sent the same tools as the last time, so they need not be filtered and compared with the
      // accepted tools again.
      if (listed === this.#listedTools) return;
      this.#listedTools = listed;
      this.#take(kind, this.#servedTools(items as ReadLists['tools'], { client, entry }));
    } catch (error) {
      if (!this.#closed.signal.aborted) this.#warn(`the list of ${kind} cannot be read`, error);
    }
  }

  /** The tools of a list that the client gets. */
  #servedTools(
    listed: ReadLists['tools'],
    { client, entry }: Pick<ServerConnection, 'client' | 'entry'>,
  ): ReadLists['tools'] {
    const { servers, servedTools, owner } = this.#options;
    const { stateless, conversation } = owner.identity;
    const shown = servers.shownTools(entry, listed, isStateless(client) ? stateless : conversation);
    if (!servedTools) return shown;
    return servedTools.of({ server: this.name, program: client.serverInfo?.name, listed, shown });
  }

  #take(kind: ListName, items: readonly object[]): void {
    Object.assign(this.lists, { [kind]: items });
    this.#options.onListed(kind);
  }

  #fail(error: unknown): void {
    const before = this.error;
    this.error = error instanceof Error ? error : new Error(String(error));
    if (this.#closed.signal.aborted) return;
    const isKnown = isRefusal(this.error) && this.error.message === before?.message;
    if (!isKnown) this.#options.owner.warn(this.error.message);
    if (error instanceof HostError && finalPhases.includes(error.phase)) return;
    this.#retry = setTimeout(() => void this.open().catch(() => {}), this.#retryMs);
    this.#retry.unref();
    this.#retryMs = Math.min(maxRetryMs, this.#retryMs * 2);
  }

  #warn(what: string, error: unknown): void {
    this.#options.owner.warn(`${this.name}: ${what}: ${messageOf(error)}`);
  }
}

/** Whether a server sends a notification when its list of this kind changes. */
function notifies(client: Client, kind: ListKind): boolean {
  return isObject(client.capabilities[kind]) && client.capabilities[kind]['listChanged'] === true;
}
