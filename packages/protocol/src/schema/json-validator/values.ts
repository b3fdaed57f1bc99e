import { type Context, isSchemaObject } from './check.ts';

/** How much of a text is read in the time of a step. */
export const charactersPerStep = 16;

/** Whether two values are equal, in the sense of JSON: the order of keys and the sign of zero do not count. */
export function isEqual(a: unknown, b: unknown, { spend }: Pick<Context, 'spend'>): boolean {
  spend(1);
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index], { spend }));
  }
  if (!isSchemaObject(a) || !isSchemaObject(b)) return false;
  const keys = Object.keys(a);
  spend(keys.length);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key], { spend }))
  );
}

/** A value as text that is the same for equal values. */
export function canonical(value: unknown, { spend }: Pick<Context, 'spend'>): string {
  const text = JSON.stringify(value, (_key, inner: unknown) => {
    spend(1);
    if (!isSchemaObject(inner)) return inner === 0 ? 0 : inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
  spend(text.length / charactersPerStep);
  return text;
}

const texts = new WeakMap<object, string>();

/** A value of a schema as errors show it. */
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
