import type { CacheHint } from '../../define/resource.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import type { NeutralResult } from '../../revisions/encode-result.ts';

/** What a method answers. */
export interface Result extends NeutralResult {
  /** The same value answers many requests, so that its text is worth keeping. */
  readonly shared?: boolean;
}

export function complete(members: JsonObject, cache?: CacheHint): Result {
  return cache ? { type: 'complete', members, cache } : { type: 'complete', members };
}

/** Lists that change only with the program itself. */
export const cachePublic: CacheHint = { ttlMs: 300_000, scope: 'public' };

/** What may be different at the next look. */
export const noCache: CacheHint = { ttlMs: 0, scope: 'private' };
