import { maskCommand } from './mask-secrets.ts';

/** The value of a key of an entry has another type than it should. */
export class WrongValue extends Error {
  override readonly name = 'WrongValue';
  readonly key: string;

  /** Without a value, the message does not show it. */
  constructor(key: string, expected: string, ...value: readonly [value?: unknown]) {
    const got = value.length === 0 ? '' : `; got ${shownValue(value[0])}`;
    super(`"${key}" must be ${expected}${got}`);
    this.key = key;
  }
}

/** A secret may be in the wrong place of an entry. */
function shownValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(maskCommand(value)).slice(0, 60);
  const isEmpty = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  if (isEmpty) return JSON.stringify(value) ?? 'nothing';
  return Array.isArray(value) ? 'a list' : 'an object';
}

export type Entry = { readonly [key: string]: unknown };

export function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first of these keys that is there, and its value; null counts as missing. */
function find(entry: Entry, keys: readonly string[]): readonly [key: string, value: unknown] | undefined {
  const key = keys.find((each) => entry[each] !== undefined && entry[each] !== null);
  return key === undefined ? undefined : [key, entry[key]];
}

export function stringOf(entry: Entry, ...keys: readonly string[]): string | undefined {
  const [key, value] = find(entry, keys) ?? [];
  if (key === undefined) return undefined;
  if (typeof value !== 'string') throw new WrongValue(key, 'a string', value);
  return value;
}

export function booleanOf(entry: Entry, ...keys: readonly string[]): boolean | undefined {
  const [key, value] = find(entry, keys) ?? [];
  if (key === undefined) return undefined;
  if (typeof value !== 'boolean') throw new WrongValue(key, 'true or false', value);
  return value;
}

export function numberOf(entry: Entry, ...keys: readonly string[]): number | undefined {
  const [key, value] = find(entry, keys) ?? [];
  if (key === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
    throw new WrongValue(key, 'a number from 0', value);
  }
  return value;
}

export function listOf(entry: Entry, ...keys: readonly string[]): readonly string[] | undefined {
  const [key, value] = find(entry, keys) ?? [];
  if (key === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) {
    throw new WrongValue(key, 'a list of strings', value);
  }
  return value;
}

export function entryOf(entry: Entry, ...keys: readonly string[]): Entry | undefined {
  const [key, value] = find(entry, keys) ?? [];
  if (key === undefined) return undefined;
  if (!isEntry(value)) throw new WrongValue(key, 'an object', value);
  return value;
}

/** An object of strings, numbers and booleans, as strings. */
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
