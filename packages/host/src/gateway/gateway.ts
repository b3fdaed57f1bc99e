import type { Server } from '@mcp/protocol';
import { defineProxy, type ProxyClient } from '@mcp/protocol/proxy';
import type { ConfigurationChanges, Servers } from '../servers/servers.ts';
import { ConnectionPool } from './links/connection-pool.ts';
import { GatewayClient } from './clients/gateway-client.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { StatelessClients } from './clients/stateless-clients.ts';
import { TaskIds } from './task-ids.ts';

export interface GatewayOptions {
  readonly servers: Servers;
  /** The names of the servers to serve, in order. */
  readonly names: readonly string[];
  readonly version: string;
  /** Whether names begin with that of their server. Default: true; without it there must be one server. */
  readonly prefixed?: boolean;
  /** Whether three tools replace all others. Default: false. */
  readonly lazy?: boolean;
  /** Whether `reconfigure` may add or change servers. Default: false. */
  readonly grows?: boolean;
  /** Milliseconds that a list waits for servers that start. Default: 3,000. */
  readonly listWaitMs?: number;
  /** Called with warnings, which are not sent to clients. */
  readonly warn: (message: string) => void;
}

const defaultListWaitMs = 3_000;

/**
 * Serves many servers as one, in every revision. Clients share only connections without a session.
 * A slow or broken server affects only its own tools, resources and prompts.
 */
export class Gateway implements AsyncDisposable {
  /** The one server, for `serveStdio` and `serveHttp`. */
  readonly server: Server;
  readonly #parts: GatewayParts;
  readonly #pool: ConnectionPool;
  readonly #conversations = new Set<GatewayClient>();
  readonly #stateless: StatelessClients;

  constructor(options: GatewayOptions) {
    const {
      servers,
      names,
      version,
      prefixed = true,
      lazy = false,
      grows = false,
      listWaitMs = defaultListWaitMs,
      warn,
    } = options;
    if (!prefixed && names.length !== 1)
      throw new Error(`Names without a prefix need one server, not ${names.length}`);
    const info = { name: 'mcp', version };
    this.#pool = new ConnectionPool(servers);
    this.#parts = {
      servers,
      pool: this.#pool,
      taskIds: new TaskIds(),
      info,
      names,
      prefixed,
      lazy,
      grows,
      listWaitMs,
      warn,
    };
    this.#stateless = new StatelessClients((client) => new GatewayClient(client, this.#parts));
    this.server = defineProxy({
      ...info,
      title: names.length === 1 ? `${names[0]} (mcp serve)` : `mcp serve (${names.length} servers)`,
      session: (client) => (client.conversation ? this.#converse(client) : this.#stateless.of(client)),
    });
  }

  /**
   * Adopts the servers of these names, after `Servers.reload` has made `changes`: connections to those that
   * are removed or restarted are ended, and the clients are notified.
   */
  reconfigure(names: readonly string[], changes: ConfigurationChanges): void {
    this.#parts.names = names;
    const dropped = Promise.allSettled(
      [...changes.removed, ...changes.restarted].map((name) => this.#pool.drop(name)),
    );
    for (const client of [...this.#conversations, ...this.#stateless.all])
      client.reconfigure(changes, dropped);
  }

  /** Ends every connection. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#conversations].map((client) => client.close()));
    await this.#stateless.close();
    await this.#pool[Symbol.asyncDispose]();
  }

  #converse(client: ProxyClient): GatewayClient {
    const conversation: GatewayClient = new GatewayClient(client, this.#parts, () =>
      this.#conversations.delete(conversation),
    );
    this.#conversations.add(conversation);
    return conversation;
  }
}
