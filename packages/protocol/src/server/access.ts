import type { Caller } from '../define/caller.ts';
import { invalidRequest, RpcError } from '../jsonrpc/error.ts';

/** A tool, prompt, resource or task, of which only the required scopes matter here. */
export interface Guarded {
  readonly definition: { readonly requires?: readonly string[] };
}

/**
 * The scopes that the caller lacks to use `item`. Without a caller the list is empty: the transport requires
 * no authorization, so the client may do what the user of this process may do.
 */
export function lackingScopes(
  { definition: { requires = [] } }: Guarded,
  caller: Caller | undefined,
): readonly string[] {
  if (!caller || requires.length === 0) return [];
  return requires.filter((scope) => !caller.scopes?.includes(scope));
}

/** Throws an `RpcError` that names the scopes which the caller lacks to use `item`. */
export function refuseLackingScopes(
  item: Guarded,
  { caller }: { readonly caller: Caller | undefined },
): void {
  const lacking = lackingScopes(item, caller);
  if (lacking.length === 0) return;
  const names = lacking.map((scope) => `"${scope}"`).join(', ');
  throw new RpcError(invalidRequest, `The token lacks the scope ${names}`, {
    requiredScopes: item.definition.requires,
  });
}

/** The maximum number of filtered copies of one list that are kept, one for each combination of scopes. */
const maxCopies = 1_000;

interface FilteredCopies {
  /** Every scope that at least one item of the list requires. */
  readonly scopes: readonly string[];
  /**
   * The filtered lists. The key is those of `scopes` that a caller has, as JSON; the value is the items that
   * a caller with these scopes may use.
   */
  readonly byScopes: Map<string, readonly Guarded[]>;
}

const filteredCopies = new WeakMap<readonly Guarded[], FilteredCopies>();

/**
 * The items that the caller has the scopes for. Returns the identical array for the same scopes, so that the
 * array can be the key of a cache.
 */
export function usableBy<Item extends Guarded>(
  items: readonly Item[],
  caller: Caller | undefined,
): readonly Item[] {
  if (!caller) return items;
  const { scopes, byScopes } = copiesOf(items);
  if (scopes.length === 0) return items;
  const key = JSON.stringify(scopes.filter((scope) => caller.scopes?.includes(scope)));
  let usable = byScopes.get(key);
  if (!usable) {
    usable = items.filter((item) => lackingScopes(item, caller).length === 0);
    if (byScopes.size >= maxCopies) byScopes.clear();
    byScopes.set(key, usable);
  }
  return usable as readonly Item[];
}

/** Whether an item requires scopes. */
export function requireScopes(items: readonly Guarded[]): boolean {
  return copiesOf(items).scopes.length > 0;
}

function copiesOf(items: readonly Guarded[]): FilteredCopies {
  let known = filteredCopies.get(items);
  if (!known) {
    const scopes = new Set(items.flatMap(({ definition: { requires = [] } }) => requires));
    filteredCopies.set(items, (known = { scopes: [...scopes], byScopes: new Map() }));
  }
  return known;
}
