import type { Entries, Entry } from '@mcp/protocol/state';
import type { Connection } from './connection.ts';
import { script } from './script.ts';

/** Replaces the old text by a new one, or by none, if it is still there. Returns 1 if it was. */
const replace = script(`
local old = redis.call('GET', KEYS[1]) or ''
if old ~= ARGV[1] then return 0 end
if ARGV[2] == '' then
  redis.call('DEL', KEYS[1])
elseif ARGV[3] == '' then
  redis.call('SET', KEYS[1], ARGV[2])
else
  redis.call('SET', KEYS[1], ARGV[2], 'PXAT', ARGV[3])
end
return 1
`);

/** The entries of a state, each as JSON in a key that expires with it. */
export class RedisEntries implements Entries {
  readonly #connection: Connection;
  readonly #prefix: string;

  constructor(connection: Connection, prefix: string) {
    this.#connection = connection;
    this.#prefix = prefix;
  }

  async read(key: string): Promise<Entry | undefined> {
    return entryIn(await this.#textOf(key));
  }

  async change(key: string, change: (old: Entry | undefined) => Entry | undefined): Promise<void> {
    for (;;) {
      const old = await this.#textOf(key);
      const entry = change(entryIn(old));
      const text = entry ? JSON.stringify(entry) : '';
      const args = [old, text, Math.ceil(entry?.expiresAt ?? 0) || ''];
      if ((await this.#connection.run(replace, [this.#prefix + key], args)) === 1) return;
    }
  }

  async #textOf(key: string): Promise<string> {
    return ((await this.#connection.send('GET', this.#prefix + key)) as string | null) ?? '';
  }
}

function entryIn(text: string): Entry | undefined {
  return text === '' ? undefined : (JSON.parse(text) as Entry);
}
