import { isObject } from '@mcp/kit';
import type { Budget } from './budget.ts';

/** Whether two JSON values are equal; the order of keys and the sign of zero do not count. */
export function isEqual(a: unknown, b: unknown, budget: Budget): boolean {
  budget.spend(1);
  if (typeof a === 'string' && typeof b === 'string' && a.length === b.length) budget.compare(a.length);
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index], budget));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  const others = Object.keys(b);
  budget.spend(2 * (keys.length + others.length));
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key], budget))
  );
}

interface Scalars {
  readonly numbers: Float64Array;
  readonly others: ReadonlySet<unknown>;
}

const knownScalars = new WeakMap<readonly unknown[], Scalars>();

/** Whether `value` is in an `enum`, whose scalars are indexed, because it may be a long list of codes. */
export function includes(values: readonly unknown[], value: unknown, budget: Budget): boolean {
  budget.spend(1);
  if (typeof value === 'object' && value !== null) return values.some((each) => isEqual(each, value, budget));
  if (typeof value === 'string' && value.length > maxHashedLength) {
    return values.some((each) => isEqual(each, value, budget));
  }
  let scalars = knownScalars.get(values);
  if (!scalars) {
    budget.spend(2 * values.length);
    scalars = {
      numbers: inOrder(values.filter(isNumber)),
      others: new Set(
        values.filter(
          (each) => !isNumber(each) && (typeof each !== 'string' || each.length <= maxHashedLength),
        ),
      ),
    };
    knownScalars.set(values, scalars);
  }
  return isNumber(value) ? isAmong(scalars.numbers, value) : scalars.others.has(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

/**
 * Sorts numbers for a binary search. A `Set` is not used, because an untrusted peer could choose numbers with
 * the same hash, which make a `Set` slow in V8.
 */
function inOrder(numbers: readonly number[]): Float64Array {
  return Float64Array.from(numbers).toSorted();
}

function isAmong(sorted: Float64Array, wanted: number): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === wanted;
}

/**
 * The maximum length of a text to put into a `Set`. Of longer texts, V8 hashes only the length, so the `Set`
 * would compare all texts of the same length.
 */
const maxHashedLength = 16_000;

/** Whether two of these items are equal. */
export function hasEqualItems(items: readonly unknown[], budget: Budget): boolean {
  const scalars = new Set<unknown>();
  const numbers: number[] = [];
  const structures = new Set<string>();
  const long: string[] = [];
  let count = 0;
  budget.spend(2 * items.length);
  for (const item of items) {
    if (isNumber(item)) {
      numbers.push(item);
      continue;
    }
    const text = typeof item === 'object' && item !== null ? canonical(item, budget) : item;
    if (typeof text === 'string') budget.compare(text.length);
    if (typeof text === 'string' && text.length > maxHashedLength) long.push(`${typeof item} ${text}`);
    else (typeof item === 'object' && item !== null ? structures : scalars).add(text);
    count++;
  }
  return (
    scalars.size + structures.size + long.length < count ||
    hasTwice(inOrder(numbers)) ||
    hasEqualTexts(long, budget)
  );
}

function hasTwice(sorted: readonly string[] | Float64Array): boolean {
  for (let index = 1; index < sorted.length; index++) if (sorted[index] === sorted[index - 1]) return true;
  return false;
}

function hasEqualTexts(texts: readonly string[], budget: Budget): boolean {
  const sorted = texts.toSorted((a, b) => {
    budget.compare(Math.min(a.length, b.length));
    return a < b ? -1 : a > b ? 1 : 0;
  });
  return hasTwice(sorted);
}

/** Serializes a value so that equal values have the same text. */
function canonical(value: unknown, budget: Budget): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    budget.spend(1);
    if (!isObject(inner)) return inner === 0 ? 0 : inner;
    return Object.fromEntries(
      Object.entries(inner).toSorted(([a], [b]) => {
        budget.spend(1);
        budget.compare(Math.min(a.length, b.length));
        return a < b ? -1 : 1;
      }),
    );
  });
}

const texts = new WeakMap<object, string>();

/** Formats a value of a schema for an error message, cut at 200 characters. */
export function shown(value: unknown): string {
  if (typeof value !== 'object' || value === null) return textOf(value);
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = textOf(value);
  texts.set(value, text);
  return text;
}

function textOf(value: unknown): string {
  return JSON.stringify(typeof value === 'string' ? value.slice(0, 200) : value).slice(0, 200);
}
