import type { CacheHint } from '../../define/resource.ts';
import type { WrappedCall } from '../../define/wrap.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { cachePrivate, cachePublic, complete, type Result } from '../call/result.ts';
import type { Runtime } from '../runtime.ts';
import { runWrapped } from '../wrapped.ts';
import { type List, pageOf } from './pagination.ts';

/** A list of the server, and for how long clients may cache it. */
interface ServedList<Item> extends Omit<List<Item>, 'items'> {
  readonly method: WrappedCall['method'];
  readonly load: () => readonly Item[] | Promise<readonly Item[]>;
  readonly cache: CacheHint;
}

/** The result with one page of a list, after the functions in the server's `wrap` have changed the list. */
export function listPage<Item>(
  { wraps, pageSize }: Pick<Runtime, 'wraps' | 'pageSize'>,
  call: ActiveCall,
  list: ServedList<Item>,
  cursor: unknown,
): Result | Promise<Result> {
  const { method, load } = list;
  // A function in `wrap` may leave out items for some callers, so the list that one caller gets must not be
  // cached for others.
  const cache = wraps && list.cache === cachePublic ? cachePrivate : list.cache;
  const send = (items: unknown): Result => {
    if (!Array.isArray(items))
      throw new Error(`A function in \`wrap\` must return the items of ${method}, as an array`);
    const page = { ...list, items: items as readonly Item[] };
    return complete(pageOf(page, call.revision, cursor, pageSize), cache);
  };
  const items = runWrapped(wraps, call, { method, name: '', args: undefined }, load);
  return items instanceof Promise ? items.then(send) : send(items);
}
