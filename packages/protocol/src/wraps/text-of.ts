/**
 * A text that differs for different values, whatever the order of members is; undefined for a value that may
 * have an object of another class, which cannot be compared. JSON would not do: it has the same text for
 * `NaN`, `null` and `undefined` in a list, and for all sets.
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value);
  if (Array.isArray(value)) return joined('[', value.map(textOf), ']');
  if (value instanceof Date) return `Date(${value.getTime()})`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return joined(
    '{',
    entries.flatMap(([name, member]) => [JSON.stringify(name), textOf(member)]),
    '}',
  );
}

function joined(begin: string, texts: readonly (string | undefined)[], end: string): string | undefined {
  return texts.includes(undefined) ? undefined : `${begin}${texts.join()}${end}`;
}
