import type { SharedStore } from '@mcp/protocol/state';
import { storeOf } from '@mcp/protocol/state';
import { RedisBus } from './bus.ts';
import { type ConnectionOptions, connectionTo, Listener } from './connection.ts';
import { RedisEntries } from './entries.ts';
import { RedisLeases } from './leases.ts';
import { RedisStreams } from './streams.ts';
import { RedisTable } from './table.ts';

/** Options of `connectRedis`. */
export interface RedisOptions extends Partial<ConnectionOptions> {
  /**
   * What all keys and channels begin with, so that several servers can share one Redis. Default: `mcp:`.
   */
  readonly prefix?: string;
}

/** A {@link SharedStore} in Redis. */
export interface RedisStore extends SharedStore, AsyncDisposable {
  /** Ends the connections. */
  close(): Promise<void>;
}

/**
 * Connects to Redis 7 or Valkey, with two connections for the whole process. Resolves when they are open;
 * throws an `Error` if they cannot be opened now. A connection that is lost later is opened again by itself.
 * @param url `redis://[[user]:password@]host[:port][/database]`, or `rediss://…` with TLS
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { serveHttp } from '@mcp/protocol/http';
 * import { connectRedis } from '@mcp/redis';
 *
 * const stateKey = Buffer.from(process.env['STATE_KEY'] ?? '', 'hex');
 * await serveHttp(defineServer({ name: 'shop', version: '1.0.0', stateKey }), {
 *   shared: await connectRedis('redis://localhost'),
 * });
 * ```
 */
export async function connectRedis(url: string, options: RedisOptions = {}): Promise<RedisStore> {
  const { prefix = 'mcp:', timeoutMs = 2_000, onError = () => {} } = options;
  const connection = await connectionTo(url, { timeoutMs, onError });
  const listener = await Listener.open(connection).catch((error: unknown) => {
    connection.close();
    throw error;
  });
  const bus = new RedisBus(connection, listener, prefix);
  const close = async () => {
    connection.close();
    listener.close();
  };
  return {
    bus,
    state: storeOf(new RedisEntries(connection, `${prefix}state:`)),
    streams: new RedisStreams(connection, bus, `${prefix}stream:`),
    leases: new RedisLeases(connection, prefix),
    table: (name, ttlMs) => new RedisTable(connection, `${prefix}table:${name}`, ttlMs),
    close,
    [Symbol.asyncDispose]: close,
  };
}
