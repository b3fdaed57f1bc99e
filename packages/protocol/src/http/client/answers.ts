import { type Id, isObject, type JsonObject } from '../../jsonrpc/message.ts';

/**
 * The response to the request `id` in the body of its own HTTP response: of its id, or an error without one, which can
 * be about no other request. Undefined where there is none.
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

/** The value of a message; undefined where it is not JSON, which its receiver says. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
