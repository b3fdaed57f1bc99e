import type { CacheHint } from '../../define/resource.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import type { NeutralResult } from '../../revisions/encode-result.ts';

/** The result of a method. */
export interface Result extends NeutralResult {
  /** The same value answers many requests, so that its JSON text is cached. */
  readonly shared?: boolean;
}

export function complete(members: JsonObject, cache?: CacheHint): Result {
  return cache ? { type: 'complete', members, cache } : { type: 'complete', members };
}

/** Lists that change only with the program itself. */
export const cachePublic: CacheHint = { ttlMs: 300_000, scope: 'public' };

/** Results that may differ at the next request. */
export const noCache: CacheHint = { ttlMs: 0, scope: 'private' };
