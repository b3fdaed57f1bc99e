import { createHash } from 'node:crypto';
import { type Clock, epoch } from './clock.ts';
import { runScript } from './lua.ts';

/** A text of a stream, with the process that has stored it. */
export interface Row {
  readonly place: number;
  readonly fields: readonly string[];
  readonly by: string;
}

interface Stored {
  value: string | Map<string, string> | Stream;
  expiresAt: number;
}

interface Stream {
  rows: Row[];
  last: number;
}

/** One connection of a process, at the side of Redis. */
export interface Subscriber {
  readonly channels: Set<string>;
  readonly push: (channel: string, message: string) => void;
}

/** A model of a Redis without limits of memory: runs each command that `@mcp/redis` uses as one step. */
export class Redis {
  readonly subscribers = new Set<Subscriber>();
  readonly #clock: Clock;
  readonly #keys = new Map<string, Stored>();
  readonly #scripts = new Set<string>();
  /** Called with each command of a process, and its reply. */
  told: (command: readonly string[], reply: unknown, by: string) => void = () => {};
  /** Called with each text that is stored in a stream. */
  stored: (stream: string, rows: readonly Row[]) => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The texts of a stream. */
  rows(stream: string): readonly Row[] | undefined {
    const value = this.#get(stream)?.value;
    return value && typeof value === 'object' && 'rows' in value ? value.rows : undefined;
  }

  rowsEndingWith(end: string): readonly Row[] | undefined {
    const name = [...this.#keys.keys()].find((key) => key.endsWith(end));
    return name === undefined ? undefined : this.rows(name);
  }

  publish(channel: string, message: string): number {
    let count = 0;
    for (const { channels, push } of this.subscribers) {
      if (!channels.has(channel)) continue;
      count++;
      push(channel, message);
    }
    return count;
  }

  /** The reply to a command of a process. Throws an `Error` for one that Redis refuses. */
  run(command: readonly string[], by: string): unknown {
    const reply = this.#reply(command, by);
    this.told(command, reply, by);
    return reply;
  }

  #reply(command: readonly string[], by: string): unknown {
    const [name = '', key = '', ...rest] = command;
    const [first = '', second = ''] = rest;
    switch (name) {
      case 'EVALSHA':
        if (!this.#scripts.has(key)) throw new Error('NOSCRIPT No matching script');
        return this.#evaluate(texts.get(key)!, rest, by);
      case 'EVAL':
        this.#scripts.add(hashOf(key));
        return this.#evaluate(key, rest, by);
      case 'PUBLISH':
        return this.publish(key, first);
      case 'GET':
        return (this.#get(key)?.value as string | undefined) ?? null;
      case 'SET':
        return this.#set(key, first, rest.slice(1));
      case 'INCR':
        this.#set(key, String(Number(this.#get(key)?.value ?? 0) + 1), []);
        return Number(this.#get(key)!.value);
      case 'DEL':
        return this.#keys.delete(key) ? 1 : 0;
      case 'EXISTS':
        return this.#get(key) ? 1 : 0;
      case 'PEXPIRE':
        if (this.#get(key)) this.#get(key)!.expiresAt = this.#clock.now + Number(first);
        return 1;
      case 'HGET':
        return this.#hash(key)?.get(first) ?? null;
      case 'HSET':
        this.#hash(key, true)!.set(first, second);
        return 1;
      case 'HDEL':
        return this.#hash(key)?.delete(first) ? 1 : 0;
      case 'HKEYS':
        return [...(this.#hash(key)?.keys() ?? [])];
      case 'HLEN':
        return this.#hash(key)?.size ?? 0;
      case 'XADD':
        return this.#append(key, placeIn(first), rest.slice(1), by);
      case 'XRANGE':
        return this.#range(key, placeIn(first));
      case 'XREVRANGE':
        return this.#range(key, 0).slice(-1);
      case 'XDEL': {
        const stream = this.#get(key)?.value as Stream | undefined;
        const places = new Set(rest.map(placeIn));
        if (stream) stream.rows = stream.rows.filter(({ place }) => !places.has(place));
        return places.size;
      }
      default:
        throw new Error(`ERR unknown command '${name}'`);
    }
  }

  #evaluate(text: string, [count, ...rest]: readonly string[], by: string): unknown {
    const keys = rest.slice(0, Number(count));
    const before = this.rows(keys[0] ?? '')?.length ?? 0;
    const call = (...command: (string | number)[]) => this.#reply(command.map(String), by);
    const reply = runScript(text, keys, rest.slice(keys.length), call);
    const after = this.rows(keys[0] ?? '');
    if (after && after.length > before) this.stored(keys[0]!, after.slice(before));
    return reply;
  }

  #get(key: string): Stored | undefined {
    const found = this.#keys.get(key);
    if (!found || found.expiresAt > this.#clock.now) return found;
    this.#keys.delete(key);
    return undefined;
  }

  #set(key: string, value: string, [unit, amount]: readonly string[]): 'OK' {
    const ms = Number(amount);
    const at = unit === 'PX' ? this.#clock.now + ms : unit === 'PXAT' ? ms - epoch : Infinity;
    this.#keys.set(key, { value, expiresAt: at });
    return 'OK';
  }

  #hash(key: string, isMade = false): Map<string, string> | undefined {
    const found = this.#get(key);
    if (found) return found.value as Map<string, string>;
    if (!isMade) return undefined;
    const value = new Map<string, string>();
    this.#keys.set(key, { value, expiresAt: Infinity });
    return value;
  }

  #append(key: string, place: number, fields: readonly string[], by: string): string {
    const found = this.#get(key);
    const stream = (found?.value as Stream | undefined) ?? { rows: [], last: 0 };
    if (!found) this.#keys.set(key, { value: stream, expiresAt: Infinity });
    if (place <= stream.last) throw new Error('ERR The ID specified in XADD is equal or smaller');
    stream.rows.push({ place, fields, by });
    stream.last = place;
    return `0-${place}`;
  }

  #range(key: string, from: number): readonly (readonly [string, readonly string[]])[] {
    const rows = this.rows(key) ?? [];
    return rows.filter(({ place }) => place >= from).map(({ place, fields }) => [`0-${place}`, fields]);
  }
}

function placeIn(id: string): number {
  return Number(id.slice(2));
}

/** The texts of all scripts by their hash, and the hashes by text. */
const texts = new Map<string, string>();
const hashes = new Map<string, string>();

function hashOf(text: string): string {
  let hash = hashes.get(text);
  if (hash === undefined) {
    hash = createHash('sha1').update(text).digest('hex');
    hashes.set(text, hash);
    texts.set(hash, text);
  }
  return hash;
}
