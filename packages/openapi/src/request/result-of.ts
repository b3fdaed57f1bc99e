import { isObject, oneLine } from '@mcp/kit';
import { jsonResult, type Schema, type ToolResult } from '@mcp/protocol';
import { isJsonType } from '../plan/argument.ts';
import type { Reply } from './send.ts';

const maxShownLength = 100;

/**
 * The result of a call that succeeded: the text of the response. With a schema, it is structured content,
 * too. Throws an `Error` for a response that is not text or does not match the schema.
 */
export function resultOf(reply: Reply, schema: Schema | undefined): string | ToolResult<never> {
  const { type, text } = reply;
  if (text === undefined) throw new Error(`${statusOf(reply)} with ${shownType(type)}, which is no text`);
  if (!schema) return text === '' ? statusOf(reply) : text;
  const mismatch = mismatchOf(type, text, schema);
  // The text as it came, so that large integers keep their digits.
  if (mismatch === undefined) return jsonResult({ content: text, json: text.replaceAll(/[\r\n]/g, ' ') });
  throw new Error(`${statusOf(reply)}, but not what its OpenAPI document says: ${mismatch}\n${text}`.trim());
}

/** The status of a response, and the first `maxLength` characters of its body. */
export function failureText(reply: Reply, maxLength: number): string {
  const { text = '' } = reply;
  const cut = text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text;
  return `${statusOf(reply)}\n${cut}`.trim();
}

function statusOf({ status, statusText }: Reply): string {
  return `the API answered ${`${status} ${oneLine(statusText, maxShownLength)}`.trim()}`;
}

function shownType(type: string): string {
  return `"${oneLine(type, maxShownLength)}"`;
}

function mismatchOf(type: string, text: string, schema: Schema): string | undefined {
  if (text === '') return 'it is empty';
  if (type !== '' && !isJsonType(type)) return `it is ${shownType(type)}`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it is no JSON';
  }
  if (!isObject(value)) return 'it is no object';
  const checked = schema['~standard'].validate(value);
  if (checked instanceof Promise || !checked.issues) return undefined;
  return checked.issues.map(({ path = [], message }) => [...path, message].map(String).join(' ')).join('; ');
}
