import type { LeaseStore } from '@mcp/protocol/state';
import type { Connection } from './connection.ts';
import { script } from './script.ts';

/** Returns the token of the holder, who is the caller, or 0. */
const hold = script(`
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[2] then return 0 end
local token = held or redis.call('INCR', KEYS[2])
redis.call('SET', KEYS[1], token, 'PX', ARGV[1])
return tonumber(token)
`);

const release = script(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
`);

/** Leases as keys that expire; their tokens come from one counter. */
export class RedisLeases implements LeaseStore {
  readonly #connection: Connection;
  readonly #prefix: string;

  constructor(connection: Connection, prefix: string) {
    this.#connection = connection;
    this.#prefix = prefix;
  }

  async hold(name: string, ttlMs: number, token = 0): Promise<number | undefined> {
    const keys = [this.#keyOf(name), `${this.#prefix}fence`];
    const held = (await this.#connection.run(hold, keys, [Math.ceil(ttlMs), token])) as number;
    return held === 0 ? undefined : held;
  }

  async release(name: string, token: number): Promise<void> {
    await this.#connection.run(release, [this.#keyOf(name)], [token]);
  }

  async isHeld(name: string): Promise<boolean> {
    return (await this.#connection.send('EXISTS', this.#keyOf(name))) === 1;
  }

  #keyOf(name: string): string {
    return `${this.#prefix}lease:${name}`;
  }
}
