import type { ClientOptions } from '@mcp/protocol/client';
import { HostError } from '../../errors.ts';
import { assertShallow } from '../../servers/assert-shallow.ts';
import type { ListItems, ListKind } from '../../servers/lists.ts';
import type { Servers } from '../../servers/servers.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { ExclusiveConnections } from './exclusive-connections.ts';
import { type ConnectionOwner, ServerConnection } from './server-connection.ts';
import { capabilityOf, notifiesOf, readPages } from './server-lists.ts';
import { Subscriptions } from './subscriptions.ts';
import { within } from './within.ts';

export type LogLevel = NonNullable<ClientOptions['logLevel']>;

export type ChangedKind = 'tools' | 'resources' | 'prompts';

/** The lists of a server as its client last read them. */
export type ServerLists = { [K in ListKind]: readonly ListItems[K][] };

export interface LinkOptions {
  readonly servers: Servers;
  readonly pool: ConnectionPool;
  readonly owner: ConnectionOwner;
  /** Whether all calls of this client want log messages. */
  readonly wantsLogs: boolean;
  /** Milliseconds that a list waits for a server. */
  readonly listWaitMs: number;
  /** The connections that must have ended before the first is opened. */
  readonly after?: Promise<unknown>;
  /** The level of log messages that the client has set for its own connections. */
  readonly logLevel: () => LogLevel | undefined;
  /** Called after a list was read. */
  readonly listed: (kind: ListKind) => void;
  /** Called when a list has changed. */
  readonly changed: (kind: ChangedKind) => void;
}

const kinds = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const;

/** Milliseconds after a failed start until the next attempt: doubled up to the longest. */
const minRetryMs = 1_000;
const maxRetryMs = 60_000;

/** Failures that the user can end without changing the configuration. */
const refusals: readonly string[] = ['consent', 'authorization'];

/** Failures that are not tried again after a time. */
const finalPhases: readonly string[] = ['configuration', ...refusals];

function isRefusal(error: Error): boolean {
  return error instanceof HostError && refusals.includes(error.phase);
}

/** One server as one client of the gateway sees it: started when needed, and again after a failure. */
export class ServerLink {
  readonly name: string;
  readonly lists: ServerLists = { tools: [], resources: [], resourceTemplates: [], prompts: [] };
  /** Why the last start failed. */
  error: Error | undefined;
  connection: ServerConnection | undefined;
  readonly subscriptions: Subscriptions;
  readonly #options: LinkOptions;
  readonly #closed = new AbortController();
  readonly #exclusive: ExclusiveConnections;
  #opening: Promise<ServerConnection> | undefined;
  /** Resolves when the server asks something before its lists are read. */
  readonly #asked: Promise<void>;
  #startedAt: number | undefined;
  #retryMs = minRetryMs;
  #retry: NodeJS.Timeout | undefined;
  readonly #stops: (() => void | Promise<void>)[] = [];
  /** Whether a list was answered without this server. */
  #missed = false;
  /** The tools as the server listed them, before its filter. */
  #listedTools = '';

  /** `subscriptions` are those of the link that this one replaces; they are resumed when it opens. */
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

  /** The connection, with its lists read. Rejects with a `HostError`. */
  open(): Promise<ServerConnection> {
    if (this.connection) return Promise.resolve(this.connection);
    this.#startedAt ??= performance.now();
    clearTimeout(this.#retry);
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  /** Adopts other filters. */
  async adjust(): Promise<void> {
    const { connection } = this;
    if (!connection) return;
    connection.entry = await this.#options.servers.resolve(this.name);
    this.#listedTools = '';
    await this.#read(connection, 'tools');
    this.#options.changed('tools');
  }

  /** A connection for one call alone, until it is released. */
  async acquire(): Promise<ServerConnection> {
    await this.open();
    return this.#exclusive.acquire();
  }

  release(connection: ServerConnection): void {
    this.#exclusive.release(connection);
  }

  /**
   * Waits until the server has started or failed, for a time that is counted from its first start.
   * If the client cannot answer questions yet, does not wait for a server that asks one.
   */
  async settle(answers = true): Promise<void> {
    if (this.connection) return;
    if (this.error && !this.#opening) {
      this.#miss();
      // A notification follows where the user has agreed, or has logged in, meanwhile.
      if (isRefusal(this.error)) void this.open().catch(() => {});
      return;
    }
    const opening = this.open();
    const started = this.#startedAt ?? 0;
    const settled = answers ? opening : Promise.race([opening, this.#asked]);
    await within(started + this.#options.listWaitMs - performance.now(), settled);
    this.#miss();
  }

  /**
   * Reads a list again where the server does not notify of its changes. A slow server keeps its last list.
   */
  async refresh(kind: ListKind): Promise<void> {
    // Only a conversation takes questions while a list is read.
    await this.settle(this.#options.owner.identity.converses);
    const { connection } = this;
    if (!connection || notifiesOf(connection.client, kind)) return;
    await within(this.#options.listWaitMs, this.#read(connection, kind));
  }

  /** Sets the log level where the connection is the client's own. */
  async setLogLevel(level: LogLevel): Promise<void> {
    const { connection } = this;
    if (!connection || connection.shared || !connection.logs) return;
    await connection.client
      .setLogLevel(level)
      .catch((error: unknown) => this.#warn('the log level is refused', error));
  }

  async close(): Promise<void> {
    this.#closed.abort(new Error('The client has disconnected'));
    clearTimeout(this.#retry);
    for (const stop of this.#stops.splice(0)) void Promise.resolve(stop()).catch(() => {});
    await this.#exclusive.close();
  }

  #miss(): void {
    if (!this.connection) this.#missed = true;
  }

  async #open(): Promise<ServerConnection> {
    const { pool, owner, wantsLogs, after } = this.#options;
    try {
      await after;
      const connection = await pool.connect(this.name, owner, wantsLogs, this.#closed.signal);
      await this.#prepare(connection);
      this.connection = connection;
      const level = this.#options.logLevel();
      if (level) await this.setLogLevel(level);
      this.error = undefined;
      this.#retryMs = minRetryMs;
      if (this.#missed)
        for (const kind of ['tools', 'resources', 'prompts'] as const) this.#options.changed(kind);
      this.#missed = false;
      if (this.subscriptions.size > 0) await this.subscriptions.resume(connection.client);
      return connection;
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  /** Reads the lists, and follows their changes. A list that cannot be read is empty. */
  async #prepare(connection: ServerConnection): Promise<void> {
    if (this.#closed.signal.aborted) {
      if (!connection.shared) await connection.close();
      throw this.#closed.signal.reason;
    }
    // `close` ends it also while its lists are read.
    if (!connection.shared) this.#exclusive.add(connection);
    await Promise.all([
      ...kinds.map((kind) => this.#read(connection, kind)),
      ...(['tools', 'resources', 'prompts'] as const).map((kind) => this.#follow(connection, kind)),
    ]);
  }

  async #follow(connection: ServerConnection, kind: ChangedKind): Promise<void> {
    const { client } = connection;
    if (!notifiesOf(client, kind)) return;
    const changed = async () => {
      const changedKinds = kind === 'resources' ? (['resources', 'resourceTemplates'] as const) : [kind];
      await Promise.all(changedKinds.map((each) => this.#read(connection, each)));
      this.#options.changed(kind);
    };
    try {
      this.#stops.push(await client.watchList(kind, () => void changed()));
    } catch (error) {
      this.#warn(`changes of the list of ${kind} cannot be followed`, error);
    }
  }

  async #read<K extends ListKind>(connection: ServerConnection, kind: K): Promise<void> {
    const { owner, servers } = this.#options;
    const { client, entry } = connection;
    if (client.capabilities[capabilityOf[kind]] === undefined) return;
    try {
      const options = { identity: owner.identity.at(undefined), signal: this.#closed.signal };
      const items = await readPages(client, kind, options);
      assertShallow(this.name, kind, items);
      if (kind !== 'tools') return this.#take(kind, items);
      const listed = JSON.stringify(items);
      // The check of every tool is the same as the last time.
      if (listed === this.#listedTools) return;
      this.#listedTools = listed;
      const declared = connection.stateless ? owner.identity.stateless : owner.identity.conversation;
      const tools = items as readonly ListItems['tools'][];
      this.#take(kind, servers.shownTools(entry, tools, declared));
    } catch (error) {
      if (!this.#closed.signal.aborted) this.#warn(`the list of ${kind} cannot be read`, error);
    }
  }

  #take(kind: ListKind, items: readonly object[]): void {
    Object.assign(this.lists, { [kind]: items });
    this.#options.listed(kind);
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
    this.#options.owner.warn(
      `${this.name}: ${what}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
