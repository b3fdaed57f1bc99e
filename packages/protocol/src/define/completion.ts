/** Suggestions for one value, best first; a plain list is cut at 100 and says how many there were. */
export type Suggestions =
  | readonly string[]
  | { readonly values: readonly string[]; readonly total?: number; readonly hasMore?: boolean };

/** Suggests values for what was `typed` so far; `others` are the values already chosen. */
export type Completer<Needs> = (
  typed: string,
  needs: Needs,
  others: { readonly [name: string]: string },
) => Suggestions | Promise<Suggestions>;

export type Completers<Names extends string, Needs> = { readonly [Name in Names]?: Completer<Needs> };
