/** How a filter compares a value. `contains` ignores the case of ASCII letters. */
export const filterOperators = ['contains', '=', '<>', '<', '<=', '>', '>=', 'null', 'not null'] as const;

/** A condition for the rows of a query. */
export interface Filter {
  /** The index of the column in the query, from 0. */
  readonly column: number;
  readonly operator: (typeof filterOperators)[number];
  /** The value, which is bound as a parameter; not for `null` and `not null`. */
  readonly value?: unknown;
}

/** Which rows and columns of a query to return, in which order. Columns are indexes, from 0. */
export interface Refinement {
  /** Only rows that meet all of these. */
  readonly filters?: readonly Filter[] | undefined;
  /** The order; by default that of the query. */
  readonly sort?: { readonly column: number; readonly descending?: boolean | undefined } | undefined;
  readonly columns?: readonly number[] | undefined;
  /** Only the first row, and each n-th after it. */
  readonly every?: number | undefined;
  /** Only the number of rows. */
  readonly counts?: boolean | undefined;
}
