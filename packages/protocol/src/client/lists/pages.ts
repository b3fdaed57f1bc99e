import type { JsonObject } from '../../jsonrpc/message.ts';
import { InvalidResult } from '../results/check-result.ts';

/** The maximum number of pages of a list; only a broken or hostile server sends more. */
export const defaultMaxPages = 1_000;

/**
 * Iterates over the pages of a list, in their order. Throws {@link InvalidResult} if a cursor occurs twice or
 * is not a string, or if there are more than `maxPages`.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export async function* pages<Page extends JsonObject>(
  method: string,
  read: (params: JsonObject) => Promise<Page>,
  maxPages: number = defaultMaxPages,
): AsyncGenerator<Page, void, undefined> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    if (page > maxPages) throw new InvalidResult(method, `more than ${maxPages} pages`);
    const result = await read(cursor === undefined ? {} : { cursor });
    yield result;
    const next: unknown = result['nextCursor'];
    // The schema does not allow null, but some servers send null at the end of a list.
    if (next === undefined || next === null) return;
    if (typeof next !== 'string') throw new InvalidResult(method, '"nextCursor" must be a string');
    if (seen.has(next))
      throw new InvalidResult(method, `"nextCursor" ${JSON.stringify(next.slice(0, 100))} is repeated`);
    seen.add(next);
    cursor = next;
  }
}
