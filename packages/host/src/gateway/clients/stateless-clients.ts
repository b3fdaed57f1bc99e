import { errorCodes, RpcError } from '@mcp/protocol';
import type { ProxyClient } from '@mcp/protocol/proxy';
import type { GatewayClient } from './gateway-client.ts';

/** Clients above this number end the one that was not used for longest. */
const maxClients = 200;

/** Milliseconds after which a client that sends nothing counts as gone. */
const idleMs = 30 * 60_000;

interface Entry {
  readonly client: GatewayClient;
  usedAt: number;
}

/**
 * The clients of 2026-07-28, which open no conversation. Over stdio a connection is one client.
 * Over HTTP a client is known by its authorization, its name and its capabilities; what could be confused
 * between two of one name is kept apart call by call.
 */
export class StatelessClients {
  readonly #make: (client: ProxyClient) => GatewayClient;
  readonly #ofConnection = new Map<object, Map<string, GatewayClient>>();
  /** Those over HTTP, in the order of their last use. */
  readonly #byKey = new Map<string, Entry>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(make: (client: ProxyClient) => GatewayClient) {
    this.#make = make;
    this.#sweeper = setInterval(() => this.#sweep(), 60_000);
    this.#sweeper.unref();
  }

  of(client: ProxyClient): GatewayClient {
    const { connection, principal, info, capabilities } = client;
    const key = JSON.stringify([principal, info, capabilities]);
    return connection ? this.#connected(connection, key, client) : this.#overHttp(key, client);
  }

  get all(): readonly GatewayClient[] {
    const connected = [...this.#ofConnection.values()].flatMap((clients) => [...clients.values()]);
    return [...connected, ...[...this.#byKey.values()].map(({ client }) => client)];
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all(this.all.map((client) => client.close()));
  }

  // A client that declares other capabilities with a request is another one to its servers.
  #connected(connection: object, key: string, client: ProxyClient): GatewayClient {
    const clients = this.#ofConnection.get(connection) ?? new Map<string, GatewayClient>();
    this.#ofConnection.set(connection, clients);
    const known = clients.get(key) ?? this.#make(client);
    clients.set(key, known);
    return known;
  }

  #overHttp(key: string, client: ProxyClient): GatewayClient {
    const entry = this.#byKey.get(key) ?? { client: this.#added(client), usedAt: 0 };
    entry.usedAt = Date.now();
    this.#byKey.delete(key);
    this.#byKey.set(key, entry);
    return entry.client;
  }

  #added(client: ProxyClient): GatewayClient {
    if (this.#byKey.size >= maxClients) {
      const oldest = [...this.#byKey].find(([, entry]) => entry.client.idle);
      if (!oldest) throw new RpcError(errorCodes.internalError, `More than ${maxClients} clients at once`);
      this.#end(oldest);
    }
    return this.#make(client);
  }

  #sweep(): void {
    const oldest = Date.now() - idleMs;
    for (const entry of this.#byKey) if (entry[1].usedAt < oldest && entry[1].client.idle) this.#end(entry);
  }

  #end([key, { client }]: readonly [string, Entry]): void {
    this.#byKey.delete(key);
    void client.close();
  }
}
