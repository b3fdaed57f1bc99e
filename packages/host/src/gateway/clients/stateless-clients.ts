import { errorCodes, RpcError } from '@mcp/protocol';
import type { ProxyClient } from '@mcp/protocol/proxy';
import type { GatewayClient } from './gateway-client.ts';

/**
 * Maximum number of clients over HTTP. When it is reached, a new client replaces the idle client whose last
 * use was longest ago.
 */
const maxClients = 200;

/** Milliseconds after which a client that sends nothing counts as gone. */
const idleMs = 30 * 60_000;

/**
 * The clients of 2026-07-28, which send no `initialize`. Over stdio, clients belong to one connection. Over
 * HTTP, requests with the same authorization, name and capabilities count as one client, so several clients
 * without authorization may count as the same client.
 */
export class StatelessClients {
  readonly #make: (client: ProxyClient) => GatewayClient;
  readonly #overStdio = new Map<string, GatewayClient>();
  /** The clients over HTTP, in the order of their last use. */
  readonly #overHttp = new Map<string, { readonly client: GatewayClient; readonly usedAt: number }>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(make: (client: ProxyClient) => GatewayClient) {
    this.#make = make;
    this.#sweeper = setInterval(() => this.#endBefore(Date.now() - idleMs), 60_000);
    this.#sweeper.unref();
  }

  of(client: ProxyClient): GatewayClient {
    const { connection, principal, info, capabilities } = client;
    // Servers see the capabilities, so requests that declare different ones belong to different clients.
    const key = JSON.stringify([principal, info, capabilities]);
    const found = connection ? this.#overStdio.get(key) : this.#overHttp.get(key)?.client;
    if (!found && !connection && this.#overHttp.size >= maxClients && this.#endBefore(Infinity, 1) === 0)
      throw new RpcError(
        errorCodes.internalError,
        `More than ${maxClients} clients are active; try again when one of them is idle`,
      );
    const known = found ?? this.#make(client);
    if (connection) {
      this.#overStdio.set(key, known);
    } else {
      this.#overHttp.delete(key);
      this.#overHttp.set(key, { client: known, usedAt: Date.now() });
    }
    return known;
  }

  get all(): readonly GatewayClient[] {
    return [...this.#overStdio.values(), ...Array.from(this.#overHttp.values(), ({ client }) => client)];
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all(this.all.map((client) => client.close()));
  }

  /** Ends at most `max` idle clients that were last used before `time`; returns how many were ended. */
  #endBefore(time: number, max = Infinity): number {
    const idle = [...this.#overHttp].filter(([, { client, usedAt }]) => usedAt < time && client.idle);
    const ended = idle.slice(0, max);
    for (const [key, { client }] of ended) {
      this.#overHttp.delete(key);
      void client.close();
    }
    return ended.length;
  }
}
