import { escapedText } from './clean-text.ts';

/** More characters of a line of code are not shown. */
const maxCodeLength = 2_100;

/** A name on one line, with its hidden characters. */
export function lineOf(value: unknown, maxLength = 200): string {
  return escapedText(value, maxLength).replaceAll('\n', '↵');
}

/** A line of code, with its hidden characters; tabs are four spaces. */
export function codeOf(value: unknown): string {
  const text = typeof value === 'string' ? value.slice(0, maxCodeLength + 1).replaceAll('\t', '    ') : '';
  return lineOf(text, maxCodeLength);
}

/** `1,234 lines`. */
export function countOf(count: number, one: string, more = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : more}`;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function messageOf(error: unknown): string {
  return escapedText(error instanceof Error ? error.message : String(error), 2_000);
}

/** How many columns of a monospaced font a text takes, about. */
export function columnsOf(text: string): number {
  return text.length + (text.match(/[\u1100-\uffff]/g)?.length ?? 0);
}
