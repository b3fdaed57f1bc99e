import { LruMap } from './lru-map.ts';

/** A composed value, and the document and the minute for which it is valid. */
interface Entry<Value> {
  readonly source: object;
  readonly minute: number;
  readonly value: Value;
}

const minuteMs = 60_000;

/**
 * Values that were composed from a document in the same minute: texts say how old their data are.
 * Composing a forecast takes ten times as long as all the rest of a call.
 */
export class AnswerCache<Value> {
  readonly #entries = new LruMap<Entry<Value>>(100);

  /** Returns the value that has this key, source and minute, or composes it. */
  get(key: string, source: object, nowMs: number, compose: () => Value): Value {
    const minute = Math.floor(nowMs / minuteMs);
    const known = this.#entries.get(key);
    if (known && known.source === source && known.minute === minute) return known.value;
    const value = compose();
    this.#entries.set(key, { source, minute, value });
    return value;
  }
}
