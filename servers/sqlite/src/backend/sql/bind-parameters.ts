import { Refused } from '../errors.ts';
import type { Cell } from '../values/cell-json.ts';
import { tokensOf } from './tokenizer.ts';

/** Values for `?` in order, or for `:name`, `@name` and `$name` by their names without the sign. */
export type Parameters = readonly unknown[] | { readonly [name: string]: unknown };

/** What the driver is given to bind. Reads what `cellJson` writes. Throws what does not fit. */
export function boundParameters(sql: string, given: Parameters | undefined): readonly unknown[] {
  if (given === undefined) return [];
  if (Array.isArray(given)) {
    const values = given.map((value, index) => boundValue(value, `parameter ${index + 1}`));
    const numbers = numbersIn(sql);
    if (numbers.length === 0) return values;
    // The driver takes `?1` for a name, and a number that is left out for a `?`.
    const named = numbers
      .filter((number) => number <= values.length)
      .map((number) => [number, values[number - 1]]);
    const unnamed = values.filter((_, index) => !numbers.includes(index + 1));
    return [...unnamed, Object.fromEntries(named)];
  }
  const entries = Object.entries(given).map(
    ([name, value]) => [name.replace(/^[:@$]/, ''), boundValue(value, `parameter "${name}"`)] as const,
  );
  return entries.length === 0 ? [] : [Object.fromEntries(entries)];
}

/** The numbers of placeholders such as `?1`. */
function numbersIn(sql: string): readonly number[] {
  if (!/\?\d/.test(sql)) return [];
  return [...tokensOf(sql)].flatMap(({ text, end }) => {
    const digits = text === '?' ? /^\d+/.exec(sql.slice(end))?.[0] : undefined;
    return digits === undefined ? [] : [Number(digits)];
  });
}

function boundValue(value: unknown, which: string): Cell {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number') return boundNumber(value, which);
  if (typeof value === 'object' && !Array.isArray(value)) {
    const bound = boundSpecial(value as { readonly [key: string]: unknown }, which);
    if (bound !== undefined) return bound;
  }
  throw new Refused(
    `The ${which} is no value: null, true, false, a number, a string, {"$int":"…"}, {"$real":"…"}, ` +
      '{"$blob":base64} or {"$text":hex}',
  );
}

// The driver binds a JavaScript integer as REAL, and no table would take it for the integer it is.
function boundNumber(value: number, which: string): Cell {
  if (!Number.isInteger(value) || Object.is(value, -0)) return value;
  if (Number.isSafeInteger(value)) return BigInt(value);
  if (Math.abs(value) >= 2 ** 63) return value;
  throw new Refused(
    `The ${which} is an integer beyond 2^53, which JSON numbers do not hold exactly: write {"$int":"${value}"} ` +
      `with all its digits, or {"$real":"${value}"}`,
  );
}

function boundSpecial(value: { readonly [key: string]: unknown }, which: string): Cell | undefined {
  if (typeof value['$int'] === 'string') {
    const { $int } = value as { $int: string };
    if (!/^[+-]?\d{1,19}$/.test($int))
      throw new Refused(`The ${which} is no integer: ${JSON.stringify($int)}`);
    const integer = BigInt($int.replace(/^\+/, ''));
    if (BigInt.asIntN(64, integer) !== integer)
      throw new Refused(`The ${which} does not fit 64 bits: ${$int}`);
    return integer;
  }
  if (typeof value['$real'] === 'string') {
    const { $real } = value as { $real: string };
    if ($real.trim() === '' || Number.isNaN(Number($real))) {
      throw new Refused(`The ${which} is no real: ${JSON.stringify($real)}`);
    }
    return Number($real);
  }
  if (typeof value['$blob'] === 'string') {
    const { $blob } = value as { $blob: string };
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test($blob)) throw new Refused(`The ${which} is no base64`);
    return Buffer.from($blob, 'base64');
  }
  if (isRawText(value)) {
    if (!/^(?:[0-9a-f]{2})*$/i.test(value.$text)) throw new Refused(`The ${which} is no hexadecimal text`);
    return Buffer.from(value.$text, 'hex');
  }
  if (typeof value['$cut'] === 'string') {
    throw new Refused(`The ${which} was cut: only its beginning is here, so it stands for nothing`);
  }
  return undefined;
}

/**
 * SQL in which every parameter that is `{"$text":hex}` is cast: such text is not UTF-8, so that it can only be bound
 * as bytes.
 */
export function withRawText(sql: string, given: Parameters | undefined): string {
  const raw = new Set(
    Object.entries(given ?? {}).flatMap(([key, value]) =>
      isRawText(value) ? [key.replace(/^[:@$]/, '')] : [],
    ),
  );
  if (raw.size === 0) return sql;
  const tokens = [...tokensOf(sql)];
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

function isRawText(value: unknown): value is { readonly $text: string } {
  return typeof value === 'object' && value !== null && '$text' in value && typeof value.$text === 'string';
}
