import { WeatherError, plainLine } from './errors.ts';

/** An object in an untrusted document. */
export type Json = { readonly [name: string]: unknown };

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an own member of an object; undefined for inherited names and for values that are not objects. */
export function member(value: unknown, name: string): unknown {
  return isJson(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function objectIn(value: unknown, name: string): Json | undefined {
  const found = member(value, name);
  return isJson(found) ? found : undefined;
}

export function listIn(value: unknown, name: string): readonly unknown[] | undefined {
  const found = member(value, name);
  return Array.isArray(found) ? found : undefined;
}

/** Returns a text as it is: for comparison and parsing, not for answers, which use {@link lineIn}. */
export function textIn(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === 'string' ? found : undefined;
}

/**
 * Returns a text of an untrusted document for use in an answer: one line, without control characters,
 * limited.
 */
export function lineIn(value: unknown, name: string, maxLength = 200): string | undefined {
  const text = textIn(value, name);
  const line = text === undefined ? '' : plainLine(text, maxLength);
  return line === '' ? undefined : line;
}

/** Returns a text of an untrusted document with its line breaks, without control characters, limited. */
export function paragraphsIn(value: unknown, name: string, maxLength: number): string | undefined {
  const text = textIn(value, name);
  if (text === undefined) return undefined;
  const limited = text.length > maxLength ? `${text.slice(0, maxLength)}… (truncated)` : text;
  return limited
    .split('\n')
    .map((line) => plainLine(line, limited.length))
    .join('\n');
}

export function numberIn(value: unknown, name: string): number | undefined {
  const found = member(value, name);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

/** Returns the failure for a document in an unexpected format. */
export function invalidReply(
  message: string,
  facts: { readonly [name: string]: unknown } = {},
): WeatherError {
  return new WeatherError('invalid_reply', message, facts);
}
