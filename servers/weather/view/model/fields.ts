import { cleanText } from './clean-text.ts';

/** An object of JSON. */
export type Fields = { readonly [name: string]: unknown };

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The first elements of a list; none of another value. */
export function listOf(value: unknown, maxLength: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, maxLength) : [];
}

/** A number that can be shown and drawn. */
export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Math.abs(value) < 100_000 ? value : null;
}

/** The text of a name, on one line. */
export function nameOf(value: unknown, maxLength = 80): string {
  return cleanText(value, maxLength).replaceAll('\n', ' ');
}

const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** A local time with its offset: `2026-11-20T15:00+01:00`. Undefined for another text. */
export function timeOf(value: unknown) {
  const [text, date = '', clock = '', zone = ''] =
    (typeof value === 'string' && value.length < 40 && time.exec(value)) || [];
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? undefined : { at, date, clock, offset: zone === 'Z' ? '+00:00' : zone };
}
