import { Refused } from '../errors.ts';
import type { Cell } from '../values/cell-json.ts';
import { tokenize } from './tokenizer.ts';

/** Values for `?` in order, or an object for `:name`, `@name` and `$name`, whose keys may omit the sign. */
export type SqlParameters = readonly unknown[] | { readonly [name: string]: unknown };

/**
 * Converts parameters to values for the driver, including objects such as `{"$int":"…"}`, by which `cellJson`
 * represents values that JSON cannot hold. Throws for any other object or array.
 */
export function boundParameters(sql: string, given: SqlParameters | undefined): readonly unknown[] {
  if (given === undefined) return [];
  if (Array.isArray(given)) {
    const values = given.map((value, index) => boundValue(value, `parameter ${index + 1}`));
    const numbers = placeholderNumbers(sql);
    if (numbers.length === 0) return values;
    // The driver treats `?2` as a parameter with the name 2. If the SQL has `?1` and `?3` only, the driver
    // expects the value of parameter 2 among those of anonymous parameters.
    const named = numbers
      .filter((number) => number <= values.length)
      .map((number) => [number, values[number - 1]]);
    const unnamed = values.filter((_, index) => !numbers.includes(index + 1));
    return [...unnamed, Object.fromEntries(named)];
  }
  refuseEqualNames(Object.keys(given));
  const entries = Object.entries(given).map(
    ([name, value]) => [name.replace(/^[:@$]/, ''), boundValue(value, `parameter "${name}"`)] as const,
  );
  return entries.length === 0 ? [] : [Object.fromEntries(entries)];
}

/** Throws if names differ only in their sign, because the driver does not distinguish `:a` from `@a`. */
function refuseEqualNames(names: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const name of names) {
    const bare = name.replace(/^[:@$]/, '');
    const other = seen.get(bare);
    if (other !== undefined) {
      throw new Refused(
        `Parameters ${JSON.stringify(other)} and ${JSON.stringify(name)} have the same name; use different names`,
      );
    }
    seen.set(bare, name);
  }
}

/** Returns the numbers of the placeholders in SQL, such as 1 for `?1`. */
function placeholderNumbers(sql: string): readonly number[] {
  if (!/\?\d/.test(sql)) return [];
  return [...tokenize(sql)].flatMap(({ text, end }) => {
    const digits = text === '?' ? /^\d+/.exec(sql.slice(end))?.[0] : undefined;
    return digits === undefined ? [] : [Number(digits)];
  });
}

/** Converts a JSON value to a value for the driver. `label` names the value in errors. */
export function boundValue(value: unknown, label: string): Cell {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number') return boundNumber(value, label);
  if (typeof value === 'object' && !Array.isArray(value)) {
    const bound = boundObject(value as { readonly [key: string]: unknown }, label);
    if (bound !== undefined) return bound;
  }
  throw new Refused(
    `Invalid ${label}: expected null, a boolean, a number, a string, {"$int":"…"}, {"$real":"…"}, ` +
      '{"$blob":base64} or {"$text":hex}',
  );
}

// The driver binds numbers as REAL, which an untyped column would store, so integers become BigInt.
function boundNumber(value: number, label: string): Cell {
  if (!Number.isInteger(value) || Object.is(value, -0)) return value;
  if (Number.isSafeInteger(value)) return BigInt(value);
  throw new Refused(
    `Invalid ${label}: JSON numbers do not hold integers beyond 2^53 exactly; write {"$int":"${value}"} ` +
      `with all digits, or {"$real":"${value}"}`,
  );
}

function boundObject(value: { readonly [key: string]: unknown }, label: string): Cell | undefined {
  const { $int, $real, $blob, $cut } = value;
  if (typeof $int === 'string') return boundInteger($int, label);
  if (typeof $real === 'string') {
    if ($real.trim() === '' || Number.isNaN(Number($real))) {
      throw new Refused(`Invalid ${label}: $real is ${JSON.stringify($real)}; expected a number`);
    }
    return Number($real);
  }
  if (typeof $blob === 'string') {
    const bytes = Buffer.from($blob, 'base64');
    if (bytes.toString('base64') !== $blob) throw new Refused(`Invalid ${label}: $blob is not base64`);
    return bytes;
  }
  if (isRawText(value)) {
    if (!/^(?:[0-9a-f]{2})*$/i.test(value.$text))
      throw new Refused(`Invalid ${label}: $text is not hexadecimal`);
    return Buffer.from(value.$text, 'hex');
  }
  if (typeof $cut === 'string') {
    throw new Refused(`Invalid ${label}: $cut has only the beginning of a value; read the whole value first`);
  }
  return undefined;
}

function boundInteger(text: string, label: string): bigint {
  if (!/^[+-]?\d{1,19}$/.test(text))
    throw new Refused(`Invalid ${label}: $int is ${JSON.stringify(text)}; expected an integer`);
  const integer = BigInt(text.replace(/^\+/, ''));
  if (BigInt.asIntN(64, integer) !== integer) throw new Refused(`Invalid ${label}: ${text} exceeds 64 bits`);
  return integer;
}

/**
 * Wraps each placeholder whose value is `{"$text":hex}` in a CAST to text, because text that is not UTF-8 is
 * bound as bytes.
 */
export function withRawText(sql: string, given: SqlParameters | undefined): string {
  const raw = new Set(
    Object.entries(given ?? {}).flatMap(([key, value]) =>
      isRawText(value) ? [key.replace(/^[:@$]/, '')] : [],
    ),
  );
  if (raw.size === 0) return sql;
  const tokens = [...tokenize(sql)];
  let cast = '';
  let from = 0;
  let highest = 0;
  for (const [index, { text, end }] of tokens.entries()) {
    const next = tokens[index + 1];
    let name: string | undefined;
    let last = end;
    if (text === '?') {
      const digits = /^\d+/.exec(sql.slice(end))?.[0];
      const position = digits === undefined ? highest + 1 : Number(digits);
      highest = Math.max(highest, position);
      last += digits?.length ?? 0;
      name = String(position - 1);
    } else if ((text === ':' || text === '@') && next?.kind === 'word') {
      name = sql.slice(end, next.end);
      last = next.end;
    } else if (text.startsWith('$') && text.length > 1) {
      name = sql.slice(end - text.length + 1, end);
    }
    if (name === undefined || !raw.has(name)) continue;
    const start = end - text.length;
    cast += `${sql.slice(from, start)}CAST(${sql.slice(start, last)} AS TEXT)`;
    from = last;
  }
  return cast + sql.slice(from);
}

/** Whether a value is text that is not UTF-8, in the form `{"$text":hex}`. */
export function isRawText(value: unknown): value is { readonly $text: string } {
  return typeof value === 'object' && value !== null && '$text' in value && typeof value.$text === 'string';
}
