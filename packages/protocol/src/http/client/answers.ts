import { isObject } from '@mcp/kit';
import { type Id, type JsonObject } from '../../jsonrpc/message.ts';

/**
 * Returns the JSON-RPC response to the request `id` from the body of an HTTP response: the message with this
 * id, or an error without an id. Returns undefined if the body is neither of them.
 */
export function answerIn(value: unknown, id: Id): unknown {
  if (isObject(value)) {
    if (value['method'] !== undefined) return undefined;
    if (value['id'] === id) return value;
    const isNameless = value['id'] === undefined || value['id'] === null;
    return isNameless && isError(value['error']) ? { ...value, id } : undefined;
  }
  return Array.isArray(value) && value.some((each) => answerIn(each, id) !== undefined) ? value : undefined;
}

function isError(value: unknown): boolean {
  return isObject(value) && Number.isInteger(value['code']) && typeof value['message'] === 'string';
}

export function resultIn(value: unknown): JsonObject | undefined {
  return isObject(value) && isObject(value['result']) ? value['result'] : undefined;
}

/** Returns the value of a message; undefined for invalid JSON, which the receiver of the message reports. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
