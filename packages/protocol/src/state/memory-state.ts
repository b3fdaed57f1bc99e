import {
  checkedLimit,
  type Entries,
  type Entry,
  isExpired,
  type StateStore,
  storeOf,
} from './state-store.ts';

/** Limits of `memoryState`. */
export interface MemoryStateOptions {
  /** Maximum number of characters of all keys and values as JSON. Default: 64 Mi. */
  readonly maxLength?: number;
}

const defaultMaxLength = 64 * 1024 * 1024;
/** Expired entries are searched for at most this often. */
const purgeEveryMs = 1_000;

/**
 * Keeps a state in the memory of this process. A value that does not fit is refused with an `Error`; no other
 * value is deleted for it before its time.
 * @example
 * ```ts
 * import { memoryState } from '@mcp/protocol/state';
 *
 * const state = memoryState();
 * await state.set('greeting', 'Hello', { ttlMs: 60_000 });
 * ```
 */
export function memoryState({ maxLength = defaultMaxLength }: MemoryStateOptions = {}): StateStore {
  return storeOf(new MemoryEntries(checkedLimit('maxLength', maxLength)));
}

class MemoryEntries implements Entries {
  readonly #maxLength: number;
  /** Entries as JSON, so that a reader cannot change a stored value. */
  readonly #entries = new Map<string, string>();
  #length = 0;
  #purgedAt = -Infinity;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  async read(key: string): Promise<Entry | undefined> {
    return parsed(this.#entries.get(key));
  }

  async change(key: string, change: (old: Entry | undefined) => Entry | undefined): Promise<void> {
    const old = this.#entries.get(key);
    const entry = change(parsed(old));
    if (!entry) return this.#delete(key);
    const text = JSON.stringify(entry);
    const added = text.length + key.length - (old === undefined ? 0 : old.length + key.length);
    if (this.#length + added > this.#maxLength) this.#purge();
    // What was purged may have been this entry.
    this.#delete(key);
    if (this.#length + key.length + text.length > this.#maxLength) {
      if (old !== undefined) this.#set(key, old);
      throw new Error(`The state is full: it has at most ${this.#maxLength} characters`);
    }
    this.#set(key, text);
  }

  #set(key: string, text: string): void {
    this.#entries.set(key, text);
    this.#length += key.length + text.length;
  }

  #delete(key: string): void {
    const text = this.#entries.get(key);
    if (text === undefined) return;
    this.#entries.delete(key);
    this.#length -= key.length + text.length;
  }

  #purge(): void {
    if (performance.now() - this.#purgedAt < purgeEveryMs) return;
    this.#purgedAt = performance.now();
    for (const [key, text] of this.#entries) if (isExpired(parsed(text))) this.#delete(key);
  }
}

function parsed(text: string): Entry;
function parsed(text: string | undefined): Entry | undefined;
function parsed(text: string | undefined): Entry | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Entry);
}
