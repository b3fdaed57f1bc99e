import { cleanText } from './clean-text.ts';

/** The first elements of a list; none of another value. */
export function listOf(value: unknown, maxLength: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, maxLength) : [];
}

/** The text of a name, on one line, cut after `maxLength` characters. */
export function nameOf(value: unknown, maxLength = 80): string {
  return cleanText(value, maxLength).replaceAll('\n', ' ');
}
