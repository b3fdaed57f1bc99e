import { LruMap } from './lru-map.ts';

/** A composed value; it is valid for one document and in one minute. */
interface Entry<Value> {
  readonly source: object;
  readonly minute: number;
  readonly value: Value;
}

const minuteMs = 60_000;

/**
 * Caches values that are composed from documents. A value is valid for a minute, because its text says how
 * old the data are. Composing a forecast takes ten times as long as all the rest of a call.
 */
export class AnswerCache<Value> {
  readonly #entries = new LruMap<Entry<Value>>(100);

  /**
   * Returns the cached value for this key, document and minute, or composes it. `nowMs` is in milliseconds
   * since 1970.
   */
  get(key: string, source: object, nowMs: number, compose: () => Value): Value {
    const minute = Math.floor(nowMs / minuteMs);
    const known = this.#entries.get(key);
    if (known && known.source === source && known.minute === minute) return known.value;
    const value = compose();
    this.#entries.set(key, { source, minute, value });
    return value;
  }
}
