import type { Client, ClientOptions } from '@mcp/protocol/client';
import type { ServerEntry } from '../config/entry/server-entry.ts';
import { HostError } from '../errors.ts';
import { Connection } from './connection.ts';

export interface LeaseOptions {
  /**
   * Options for a client of this caller. By default, all callers share one client, with the options of the
   * host.
   */
  readonly client?: ClientOptions;
  /**
   * Whether other callers that also give `client` may use the connection that this caller opens. By default,
   * none may.
   */
  readonly canShare?: (client: Client) => boolean;
  /** Cancels the start of the server. */
  readonly signal?: AbortSignal;
}

/** What several callers share. `connection` is undefined until a connection was opened that can be shared. */
interface Sharing {
  connection?: Connection;
  /** The first start: only after it is it known whether connections to this server can be shared. */
  first?: Promise<unknown> | undefined;
}

type Connect = (
  entry: ServerEntry,
  client: ClientOptions | undefined,
  signal: AbortSignal,
) => Promise<Client>;

/** The connections to one server, until a changed configuration or the end of the host closes them all. */
export class ConnectionPool {
  /** The entry with which the server was last started. Rejects if its variables could not be expanded. */
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
    // While another caller makes the first start, waits for it. If that caller cancels it, the first of the
    // waiting callers starts the server.
    for (let first; first !== sharing.first; await first) ({ first } = sharing);
    this.#ended.signal.throwIfAborted();
    if (sharing.connection && canShare(sharing.connection.client)) return sharing.connection;
    const opening = this.#share(sharing, canShare, this.#start(options));
    sharing.first ??= opening.catch((error: unknown) => {
      sharing.first = undefined;
      // If the caller of this start cancelled it, the error does not reach the waiting callers: one of them
      // starts the server again.
      if (!signal?.aborted) throw error;
    });
    sharing.first.catch(() => {});
    return opening;
  }

  get isEnded(): boolean {
    return this.#ended.signal.aborted;
  }

  /** Applies changed settings that only the host uses, such as filters, to the open connections. */
  adjust(entry: ServerEntry): void {
    this.entry = Promise.resolve(entry);
    for (const connection of this.#open) connection.entry = entry;
  }

  /**
   * Closes all connections, and aborts the starts in progress. Resolves within a limited time, even if a
   * server hangs.
   */
  async end(): Promise<void> {
    const message = 'The server was ended before it had started; send the request again';
    this.#ended.abort(new HostError(message, { phase: 'spawn' }));
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
    // In the meantime, another caller has opened a connection that can be shared: uses that connection, and
    // closes this one.
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
    // `adjust` may have been called during the start, so the connection gets the latest entry.
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
