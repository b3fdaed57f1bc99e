import { isObject, oneLine } from '@mcp/kit';
import { WeatherError } from './errors.ts';

/** A JSON object in an untrusted document. */
export type Json = { readonly [name: string]: unknown };

/** Returns an own member of an object; undefined for inherited names and for values that are not objects. */
export function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function objectIn(value: unknown, name: string): Json | undefined {
  const found = member(value, name);
  return isObject(found) ? found : undefined;
}

export function listIn(value: unknown, name: string): readonly unknown[] | undefined {
  const found = member(value, name);
  return Array.isArray(found) ? found : undefined;
}

/**
 * The member `name` if it is a string, unchanged, for comparing and parsing. Text that a user will see is
 * read by {@link lineIn}, which makes it one safe line.
 */
export function textIn(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === 'string' ? found : undefined;
}

/** An untrusted text for an answer: one line without control characters, cut after `maxLength`. */
export function lineIn(value: unknown, name: string, maxLength = 200): string | undefined {
  const text = textIn(value, name);
  const line = text === undefined ? '' : oneLine(text, maxLength);
  return line === '' ? undefined : line;
}

/** An untrusted text with line breaks, without other control characters, cut after `maxLength` characters. */
export function paragraphsIn(value: unknown, name: string, maxLength: number): string | undefined {
  const text = textIn(value, name);
  if (text === undefined) return undefined;
  const limited = text.length > maxLength ? `${text.slice(0, maxLength)}… (truncated)` : text;
  return limited
    .split('\n')
    .map((line) => oneLine(line, limited.length))
    .join('\n');
}

export function numberIn(value: unknown, name: string): number | undefined {
  const found = member(value, name);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

export function invalidReply(message: string): WeatherError {
  return new WeatherError('invalid_reply', message);
}
