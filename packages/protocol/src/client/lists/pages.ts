import type { JsonObject } from '../../jsonrpc/message.ts';
import { InvalidResult } from '../results/invalid-result.ts';

/** The most pages of one list; a server that has more repeats itself, or means harm. */
export const defaultMaxPages = 1_000;

/**
 * The pages of a list, in their order. Ends with an error where a cursor comes again, is no string, or where there
 * are more than `maxPages`.
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
    // Some servers end a list with null, which the schema does not allow and which can mean nothing else.
    if (next === undefined || next === null) return;
    if (typeof next !== 'string') throw new InvalidResult(method, '"nextCursor" must be a string');
    if (seen.has(next))
      throw new InvalidResult(method, `"nextCursor" ${JSON.stringify(next.slice(0, 100))} came twice`);
    seen.add(next);
    cursor = next;
  }
}
