import type { CompletionCall } from './call.ts';

/**
 * Suggestions for one value, best first. Of a plain list the first 100 are sent, with its full length as the
 * total.
 */
export type Suggestions =
  | readonly string[]
  | { readonly values: readonly string[]; readonly total?: number; readonly hasMore?: boolean };

/** Suggests values that start with, or otherwise match, the text `typed` so far. */
export type Completer<Context> = (
  typed: string,
  call: CompletionCall<Context>,
) => Suggestions | Promise<Suggestions>;

/** A completer for each argument or variable that has suggestions. */
export type Completers<Names extends string, Context> = { readonly [Name in Names]?: Completer<Context> };
