import { isObject } from '@mcp/kit';
import { maskCommand } from './mask-secrets.ts';

/** The error for a key of an entry whose value has the wrong type. */
export class WrongValue extends Error {
  override readonly name = 'WrongValue';
  readonly key: string;

  /** The message shows `value` only if it is given. */
  constructor(key: string, expected: string, ...value: readonly [value?: unknown]) {
    const got = value.length === 0 ? '' : `; got ${shownValue(value[0])}`;
    super(`"${key}" must be ${expected}${got}`);
    this.key = key;
  }
}

/**
 * A value as the error message shows it. Secrets are masked, because a user may put a secret under a wrong
 * key.
 */
function shownValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(maskCommand(value)).slice(0, 60);
  const isEmpty = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  if (isEmpty) return JSON.stringify(value) ?? 'nothing';
  return Array.isArray(value) ? 'a list' : 'an object';
}

export type Entry = { readonly [key: string]: unknown };

/**
 * Returns a function that reads the first of several keys whose value is set and not null. It throws a
 * `WrongValue` if this value is not as expected.
 */
function reader<T>(expected: string, isExpected: (value: unknown) => value is T) {
  return (entry: Entry, ...keys: readonly string[]): T | undefined => {
    const key = keys.find((each) => entry[each] !== undefined && entry[each] !== null);
    if (key === undefined) return undefined;
    const value = entry[key];
    if (!isExpected(value)) throw new WrongValue(key, expected, value);
    return value;
  };
}

export const stringOf = reader('a string', (value) => typeof value === 'string');
export const booleanOf = reader('true or false', (value) => typeof value === 'boolean');
export const numberOf = reader(
  'a number of 0 or more',
  (value): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0,
);
export const listOf = reader(
  'a list of strings',
  (value): value is readonly string[] =>
    Array.isArray(value) && value.every((each) => typeof each === 'string'),
);
export const entryOf = reader('an object', isObject);

/** Reads an object of strings, numbers and booleans; returns its values as strings. */
export function stringsOf(
  entry: Entry,
  ...keys: readonly string[]
): Readonly<Record<string, string>> | undefined {
  const values = entryOf(entry, ...keys);
  if (!values) return undefined;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (typeof value === 'string') return [name, value];
      if (typeof value === 'number' || typeof value === 'boolean') return [name, String(value)];
      throw new WrongValue(`${keys[0]}.${name}`, 'a string', value);
    }),
  );
}
