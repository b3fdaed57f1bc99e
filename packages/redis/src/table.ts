import type { Table } from '@mcp/protocol/state';
import type { Connection } from './connection.ts';
import { script } from './script.ts';

const set = script(`
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
`);

const replace = script(`
if redis.call('HGET', KEYS[1], ARGV[2]) ~= ARGV[3] then return 0 end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
`);

/** A table as a hash. */
export class RedisTable implements Table {
  readonly #connection: Connection;
  readonly #key: string;
  readonly #ttlMs: number;

  constructor(connection: Connection, key: string, ttlMs: number) {
    this.#connection = connection;
    this.#key = key;
    this.#ttlMs = ttlMs;
  }

  async get(key: string): Promise<string | undefined> {
    return ((await this.#connection.send('HGET', this.#key, key)) as string | null) ?? undefined;
  }

  async set(key: string, text: string): Promise<void> {
    await this.#connection.run(set, [this.#key], [Math.ceil(this.#ttlMs), key, text]);
  }

  async replace(key: string, old: string, text: string): Promise<boolean> {
    const args = [Math.ceil(this.#ttlMs), key, old, text];
    return (await this.#connection.run(replace, [this.#key], args)) === 1;
  }

  async delete(key: string): Promise<void> {
    await this.#connection.send('HDEL', this.#key, key);
  }

  async keys(): Promise<readonly string[]> {
    return (await this.#connection.send('HKEYS', this.#key)) as readonly string[];
  }

  async size(): Promise<number> {
    return (await this.#connection.send('HLEN', this.#key)) as number;
  }
}
