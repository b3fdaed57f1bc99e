import { LruMap } from './lru-map.ts';

/** A cached value. It may be returned only for the same document and within the same minute. */
interface Entry<Value> {
  readonly source: object;
  readonly minute: number;
  readonly value: Value;
}

const minuteMs = 60_000;

/**
 * Caches answers, because composing an answer is slow; only until the next minute, because the text of an
 * answer says how old the data are.
 */
export class AnswerCache<Value> {
  readonly #entries = new LruMap<Entry<Value>>(100);

  /** The value for this key and document in the minute of `nowMs`, in milliseconds since 1970. */
  get(key: string, source: object, nowMs: number, compose: () => Value): Value {
    const minute = Math.floor(nowMs / minuteMs);
    const known = this.#entries.get(key);
    if (known && known.source === source && known.minute === minute) return known.value;
    const value = compose();
    this.#entries.set(key, { source, minute, value });
    return value;
  }
}
