import { isObject, messageOf } from '@mcp/kit';
import type { JsonObject, ProxyResult } from '@mcp/protocol/proxy';
import type { ServedRequest } from '../gateway-settings.ts';

/** Calls `onRequest` when the answer to a request is there, or has failed. Returns the answer. */
export async function observed(
  answer: Promise<ProxyResult>,
  method: string,
  { name, uri }: JsonObject,
  onRequest: (request: ServedRequest) => void,
): Promise<ProxyResult> {
  const from = performance.now();
  const subject = [name, uri].find((each) => typeof each === 'string');
  const ended = (error: string | undefined) =>
    onRequest({ method, name: subject, ms: performance.now() - from, error });
  try {
    const answered = await answer;
    ended(errorOf(answered.result));
    return answered;
  } catch (error) {
    ended(messageOf(error));
    throw error;
  }
}

/** The text of a result with `isError`; undefined for another result. */
function errorOf({ isError, content }: JsonObject): string | undefined {
  if (isError !== true) return undefined;
  const [first]: unknown[] = Array.isArray(content) ? content : [];
  return isObject(first) && typeof first['text'] === 'string' ? first['text'] : 'an error without a text';
}
