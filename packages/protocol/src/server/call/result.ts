import type { CacheHint } from '../../define/resource.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import type { NeutralResult } from '../../revisions/encode-result.ts';

/** The result of a method, in a form that does not depend on the client's revision. */
export type Result = NeutralResult;

export function complete(members: JsonObject, cache?: CacheHint): Result {
  return cache ? { type: 'complete', members, cache } : { type: 'complete', members };
}

/** For lists that change only with the program itself: clients may share them for five minutes. */
export const cachePublic: CacheHint = { ttlMs: 300_000, scope: 'public' };

/** For lists that differ between callers: only the client itself may keep them, for five minutes. */
export const cachePrivate: CacheHint = { ttlMs: 300_000, scope: 'private' };

/** For results that may differ at the next request: clients must not cache them. */
export const noCache: CacheHint = { ttlMs: 0, scope: 'private' };
