import { errorText, type Id, isObject, type JsonObject } from '../../jsonrpc/message.ts';

/** What a server's message is to the request `id`. */
export function isAnswerTo(id: Id, text: string): boolean {
  const value = parsed(text);
  return [value].flat().some((each) => isObject(each) && each['id'] === id && each['method'] === undefined);
}

/**
 * The response to the request `id` in a body: of its own id, or an error without one, which in the body of this
 * request can be about no other. Undefined where there is none.
 */
export function answerIn(body: string, id: Id): string | undefined {
  const value = parsed(body);
  if ([value].flat().some((each) => isObject(each) && each['id'] === id && each['method'] === undefined))
    return body;
  const error =
    isObject(value) && (value['id'] === undefined || value['id'] === null) ? value['error'] : undefined;
  return isError(error) ? errorText(id, error) : undefined;
}

function isError(value: unknown): value is { code: number; message: string; data?: unknown } {
  return isObject(value) && Number.isInteger(value['code']) && typeof value['message'] === 'string';
}

export function resultIn(text: string): JsonObject | undefined {
  const value = parsed(text);
  return isObject(value) && isObject(value['result']) ? value['result'] : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
