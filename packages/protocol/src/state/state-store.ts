import { messageOf } from '@mcp/kit';

/** How long a value is kept. */
export interface Lifetime {
  /** Milliseconds from now until the value is deleted. Default: it is kept until it is deleted. */
  readonly ttlMs?: number;
}

/** Values by key, which outlive a request: for counters, drafts, settings and the like of an application. */
export interface StateStore {
  /** The value of a key, as `JSON.parse` returns it; undefined if there is none. */
  get(key: string): Promise<unknown>;
  /**
   * Stores a value in place of an earlier one and its lifetime. Resolves once it is stored. Throws an `Error`
   * for a value that is not JSON, or longer than 1 Mi characters, and if the store is full.
   */
  set(key: string, value: unknown, lifetime?: Lifetime): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Adds `by` (default: 1) to a number, which is 0 if there is none, and returns the sum. Of concurrent
   * calls, none is lost. `lifetime` counts from the creation of the number; later calls do not prolong it.
   * Throws an `Error` if the value is no number, or the sum is not exact.
   */
  increment(key: string, by?: number, lifetime?: Lifetime): Promise<number>;
}

/** A value with the time at which it expires, in milliseconds since 1970. */
export interface Entry {
  readonly value: unknown;
  readonly expiresAt?: number;
}

/** Where entries are: the part in which stores differ. An expired entry may be returned. */
export interface Entries {
  read(key: string): Promise<Entry | undefined>;
  /** Replaces an entry by what `change` returns for it; no other change of this key happens meanwhile. */
  change(key: string, change: (old: Entry | undefined) => Entry | undefined): Promise<void>;
}

const maxKeyLength = 4_096;
const maxValueLength = 1_048_576;

/**
 * A state over entries of your own, with all checks of keys, values and limits.
 * @example
 * ```ts
 * import { type Entry, storeOf } from '@mcp/protocol/state';
 *
 * const entries = new Map<string, Entry>();
 * export const state = storeOf({
 *   read: async (key) => entries.get(key),
 *   async change(key, change) {
 *     const entry = change(entries.get(key));
 *     if (entry) entries.set(key, entry);
 *     else entries.delete(key);
 *   },
 * });
 * ```
 */
export function storeOf(entries: Entries): StateStore {
  return {
    async get(key) {
      return current(await entries.read(checkedKey(key)))?.value;
    },
    async set(key, value, lifetime) {
      const entry = { value: checkedValue(key, value), ...expiryOf(lifetime) };
      await entries.change(checkedKey(key), () => entry);
    },
    async delete(key) {
      await entries.change(checkedKey(key), () => undefined);
    },
    async increment(key, by = 1, lifetime) {
      const expiry = expiryOf(lifetime);
      let sum = 0;
      await entries.change(checkedKey(key), (old) => {
        const { value, ...kept } = current(old) ?? { value: 0, ...expiry };
        sum = sumOf(key, value, by);
        return { value: sum, ...kept };
      });
      return sum;
    },
  };
}

/** The entry, unless it has expired. */
export function current(entry: Entry | undefined): Entry | undefined {
  return entry && isExpired(entry) ? undefined : entry;
}

export function isExpired({ expiresAt = Infinity }: Entry): boolean {
  return expiresAt <= Date.now();
}

/** The key. Throws an `Error` unless it is a string of 1 to 4,096 characters. */
export function checkedKey(key: unknown): string {
  if (typeof key !== 'string' || key === '' || key.length > maxKeyLength)
    throw new Error(
      `Invalid key of a state: ${typeof key === 'string' ? `${key.length} characters` : typeof key}; expected a string of 1 to ${maxKeyLength} characters`,
    );
  return key;
}

/** The value as it will be read. A value that JSON would change, such as a `Date`, comes back changed. */
function checkedValue(key: string, value: unknown): unknown {
  const text = jsonOf(key, value);
  if (text === undefined)
    throw new Error(`Invalid value of the state "${key}": ${typeof value}; expected a JSON value`);
  if (text.length > maxValueLength)
    throw new Error(
      `The value of the state "${key}" is too long: ${text.length} characters as JSON; at most ${maxValueLength}`,
    );
  return JSON.parse(text);
}

function jsonOf(key: string, value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw new Error(`Invalid value of the state "${key}": ${messageOf(error)}; expected a JSON value`, {
      cause: error,
    });
  }
}

/** A limit of a store. Throws an `Error` unless it is an integer of 1 or more. */
export function checkedLimit(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new Error(`Invalid ${name} of a state: ${value}; expected an integer of 1 or more`);
}

function expiryOf({ ttlMs }: Lifetime = {}): { expiresAt?: number } {
  if (ttlMs === undefined) return {};
  if (!Number.isFinite(ttlMs) || ttlMs <= 0)
    throw new Error(`Invalid ttlMs: ${ttlMs}; expected a number of milliseconds above 0`);
  return { expiresAt: Date.now() + ttlMs };
}

function sumOf(key: string, value: unknown, by: number): number {
  if (typeof value !== 'number')
    throw new Error(`Cannot increment the state "${key}": its value is no number`);
  const sum = value + by;
  if (!Number.isFinite(sum) || (Number.isInteger(sum) && !Number.isSafeInteger(sum)))
    throw new Error(`Cannot increment the state "${key}" from ${value} by ${by}: the sum is not exact`);
  return sum;
}
