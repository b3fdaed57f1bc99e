import type { Client, ClientOptions } from '@mcp/protocol/client';
import type { ServerEntry } from '../config/entry/server-entry.ts';
import { Connection } from './connection.ts';

export interface LeaseOptions {
  /** Options of a client that only this caller uses; defaults to the host's client, which callers share. */
  readonly client?: ClientOptions;
  /** Whether other callers that also give a `client` may use the connection, too; by default they may not. */
  readonly canShare?: (client: Client) => boolean;
  /** Ends a start that is under way when it aborts. */
  readonly signal?: AbortSignal;
}

/** The connection that several callers share; undefined until a connection was opened that can be shared. */
interface Sharing {
  connection?: Connection;
  /** The first start, after which it is known whether connections to this server can be shared. */
  first?: Promise<unknown> | undefined;
}

type Connect = (
  entry: ServerEntry,
  client: ClientOptions | undefined,
  signal: AbortSignal,
) => Promise<Client>;

/** The connections to one server, until a changed configuration or the host ends them all. */
export class ConnectionPool {
  /** The entry of the last start; rejects where its variables could not be expanded. */
  entry: Promise<ServerEntry> | undefined;
  readonly #resolve: () => Promise<ServerEntry>;
  readonly #connect: Connect;
  readonly #starting = new Set<Promise<Connection>>();
  readonly #open = new Set<Connection>();
  readonly #ended = new AbortController();
  readonly #ofHost: Sharing = {};
  readonly #ofClients: Sharing = {};

  constructor(resolve: () => Promise<ServerEntry>, connect: Connect) {
    this.#resolve = resolve;
    this.#connect = connect;
  }

  /** Returns a connection, which the caller must release. After a failed start, the next call tries again. */
  async lease(options: LeaseOptions): Promise<Connection> {
    const { client, canShare = () => !client, signal } = options;
    if (client && !options.canShare) return this.#start(options);
    const sharing = client ? this.#ofClients : this.#ofHost;
    // Waits for a first start under way. If its caller cancels it, the first waiting caller starts another.
    for (let first; first !== sharing.first; await first) ({ first } = sharing);
    this.#ended.signal.throwIfAborted();
    if (sharing.connection && canShare(sharing.connection.client)) return sharing.connection;
    const opening = this.#share(sharing, canShare, this.#start(options));
    sharing.first ??= opening.catch((error: unknown) => {
      sharing.first = undefined;
      // When the caller of this start has cancelled it, the callers that wait for it start again.
      if (!signal?.aborted) throw error;
    });
    sharing.first.catch(() => {});
    return opening;
  }

  get isEnded(): boolean {
    return this.#ended.signal.aborted;
  }

  /** Adopts settings that a running server does not see, such as filters. */
  adjust(entry: ServerEntry): void {
    this.entry = Promise.resolve(entry);
    for (const connection of this.#open) connection.entry = entry;
  }

  /** Closes all connections, and aborts the starts that are under way; takes a limited time. */
  async end(): Promise<void> {
    this.#ended.abort(new Error('The host has ended the server'));
    await Promise.allSettled([...this.#starting, ...Array.from(this.#open, (each) => each.close())]);
  }

  async #share(
    sharing: Sharing,
    canShare: (client: Client) => boolean,
    opening: Promise<Connection>,
  ): Promise<Connection> {
    const connection = await opening;
    if (!canShare(connection.client)) return connection;
    const { connection: shared } = sharing;
    // Another caller has opened a shared connection in the meantime.
    if (shared && canShare(shared.client)) {
      void connection.close();
      return shared;
    }
    connection.isShared = true;
    return (sharing.connection = connection);
  }

  #start(options: LeaseOptions): Promise<Connection> {
    const starting = this.#opened(options).finally(() => this.#starting.delete(starting));
    this.#starting.add(starting);
    return starting;
  }

  async #opened({ client: options, signal }: LeaseOptions): Promise<Connection> {
    const ended = this.#ended.signal;
    const resolved = (this.entry = this.#resolve());
    const entry = await resolved;
    const client = await this.#connect(entry, options, signal ? AbortSignal.any([signal, ended]) : ended);
    // The entry may have been adjusted during the start.
    const latest = await (this.entry ?? resolved).catch(() => entry);
    const connection = new Connection(latest, client, (closed) => this.#open.delete(closed));
    this.#open.add(connection);
    if (ended.aborted) {
      await connection.close();
      throw ended.reason;
    }
    return connection;
  }
}
