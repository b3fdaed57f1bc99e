import type { Servers } from '../../servers/servers.ts';
import { type ConnectionOwner, ServerConnection } from './server-connection.ts';

/**
 * Connects clients to servers. A server of 2026-07-28 keeps nothing between requests, and each of them says
 * whose it is: its clients share one connection, except those that want its log messages, which do not say
 * that. A server of an older revision sends requests, log messages and notifications to the connection as
 * a whole: each client has its own.
 */
export class ConnectionPool {
  readonly #servers: Servers;
  readonly #shared = new Map<string, ServerConnection>();
  /** The first connections to servers, after which it is known whether they can be shared. */
  readonly #first = new Map<string, Promise<unknown>>();

  constructor(servers: Servers) {
    this.#servers = servers;
  }

  /** Connects a client to a server. The caller must close a connection that is not `shared`. */
  async connect(
    name: string,
    owner: ConnectionOwner,
    wantsLogs: boolean,
    signal: AbortSignal,
  ): Promise<ServerConnection> {
    // For such a client, a conversation is tried first, which clients cannot share.
    if (owner.identity.converses) return this.#open(name, owner, wantsLogs, signal);
    await this.#first.get(name);
    const found = this.#sharedOf(name, wantsLogs);
    if (found) return found;
    const opening = this.#open(name, owner, wantsLogs, signal);
    if (!this.#first.has(name)) {
      this.#first.set(
        name,
        opening.catch(() => this.#first.delete(name)),
      );
    }
    return opening;
  }

  /** Ends the shared connection to a server, whose next client opens another. */
  async drop(name: string): Promise<void> {
    const shared = this.#shared.get(name);
    this.#shared.delete(name);
    this.#first.delete(name);
    await shared?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#shared.values()].map((connection) => connection.close()));
  }

  async #open(
    name: string,
    owner: ConnectionOwner,
    wantsLogs: boolean,
    signal: AbortSignal,
  ): Promise<ServerConnection> {
    const connection = await ServerConnection.open(this.#servers, name, owner, signal);
    if (!isShareable(connection, wantsLogs)) return connection;
    const shared = this.#sharedOf(name, wantsLogs);
    if (shared) {
      void connection.close();
      return shared;
    }
    connection.shared = true;
    this.#shared.set(name, connection);
    return connection;
  }

  #sharedOf(name: string, wantsLogs: boolean): ServerConnection | undefined {
    const shared = this.#shared.get(name);
    if (!shared) return undefined;
    if (shared.stateless) return isShareable(shared, wantsLogs) ? shared : undefined;
    // A server that was replaced by an older one.
    this.#shared.delete(name);
    return undefined;
  }
}

function isShareable(connection: ServerConnection, wantsLogs: boolean): boolean {
  return connection.stateless && !(wantsLogs && connection.logs);
}
