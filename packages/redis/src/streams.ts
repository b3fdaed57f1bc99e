import type { AppendOptions, StreamEntry, StreamStore } from '@mcp/protocol/state';
import type { RedisBus } from './bus.ts';
import type { Connection } from './connection.ts';
import { script } from './script.ts';

/**
 * Appends texts at once, unless the stream has ended. The place of a text is the second number of its id; the
 * first one is 0. Returns 1, or 0 if the texts are refused.
 */
const append = script(`
local top = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local last, ended = 0, false
if top then
  last = tonumber(string.sub(top[1], 3))
  ended = top[2][3] ~= nil
elseif ARGV[4] == '1' then
  return 0
end
local at = tonumber(ARGV[2])
if at == 0 then at = last + 1 end
for index = 6, #ARGV do
  local place = at + index - 6
  if place > last then
    if ended then return 0 end
    if ARGV[3] == '1' and index == #ARGV then
      redis.call('XADD', KEYS[1], '0-' .. place, 't', ARGV[index], 'last', '1')
    else
      redis.call('XADD', KEYS[1], '0-' .. place, 't', ARGV[index])
    end
  end
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('PUBLISH', ARGV[5], '')
return 1
`);

type Row = readonly [id: string, fields: readonly string[]];

/** Streams of Redis, bounded by those who append, with an expiry. */
export class RedisStreams implements StreamStore {
  readonly #connection: Connection;
  readonly #bus: RedisBus;
  readonly #prefix: string;

  constructor(connection: Connection, bus: RedisBus, prefix: string) {
    this.#connection = connection;
    this.#bus = bus;
    this.#prefix = prefix;
  }

  async append(
    stream: string,
    texts: readonly string[],
    { at = 0, last = false, existing = false, ttlMs }: AppendOptions,
  ): Promise<boolean> {
    const options = [Math.ceil(ttlMs), at, last ? 1 : 0, existing ? 1 : 0];
    const channel = this.#bus.channelOf(channelOf(stream));
    const args = [...options, channel, ...texts];
    return (await this.#connection.run(append, [this.#prefix + stream], args)) === 1;
  }

  async after(stream: string, place: number): Promise<readonly StreamEntry[] | undefined> {
    const key = this.#prefix + stream;
    const [rows, exists] = await Promise.all([
      this.#connection.send('XRANGE', key, `0-${place + 1}`, '+') as Promise<readonly Row[]>,
      this.#connection.send('EXISTS', key),
    ]);
    if (exists === 0 && rows.length === 0) return undefined;
    return rows.map(([id, [, text = '', last]]) => ({
      place: Number(id.slice(2)),
      text,
      last: last !== undefined,
    }));
  }

  async trim(stream: string, places: readonly number[]): Promise<void> {
    if (places.length === 0) return;
    await this.#connection.send('XDEL', this.#prefix + stream, ...places.map((place) => `0-${place}`));
  }

  follow(stream: string, changed: () => void): Promise<() => Promise<void>> {
    return this.#bus.subscribe(channelOf(stream), changed, changed);
  }
}

function channelOf(stream: string): string {
  return `stream:${stream}`;
}
