import { InputRequired } from '../define/input/input.ts';
import { JsonText, ToolResult } from '../define/tool.ts';
import type { Wrap } from '../define/wrap.ts';
import { settle } from './settle.ts';

/**
 * Replaces each text in what handlers return and in their errors by what `redact` returns for it: to hide
 * tokens or addresses from the model. Bytes, such as images, and input requests are not changed.
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { redactResults } from '@mcp/protocol/wrap';
 *
 * export const server = defineServer({
 *   name: 'example',
 *   version: '1.0.0',
 *   wrap: [redactResults((text) => text.replaceAll(/sk-[a-z0-9]{20,}/g, '[key]'))],
 * });
 * ```
 */
export function redactResults(redact: (text: string) => string): Wrap<unknown, unknown> {
  const change = (value: unknown): unknown => redacted(value, redact);
  return (wrapped, next) => (wrapped.method.endsWith('/list') ? next() : settle(next, change, fail(redact)));
}

function fail(redact: (text: string) => string) {
  return (error: unknown) => {
    if (error instanceof Error) error.message = redact(error.message);
    throw error;
  };
}

/** The members that hold bytes as base64. They are not changed, because they are no text. */
const bytes = new Set(['data', 'blob']);

function redacted(value: unknown, redact: (text: string) => string): unknown {
  const change = (part: unknown): unknown => redacted(part, redact);
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value) || value instanceof InputRequired) return value;
  if (Array.isArray(value)) return value.map(change);
  if (value instanceof JsonText) return new JsonText(JSON.stringify(change(value.toJSON())));
  const members = Object.entries(value).map(
    ([name, member]) =>
      [name, bytes.has(name) && typeof member === 'string' ? member : change(member)] as const,
  );
  const copy = Object.fromEntries(members);
  return value instanceof ToolResult ? new ToolResult(copy) : copy;
}
