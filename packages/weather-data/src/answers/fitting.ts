/** An answer may have 40,000 characters; the remaining 4,000 are for its heading and notes. */
const maxRowsLength = 36_000;

/**
 * Returns as many rows as fit into one answer, at least one. `lengthOf` returns the number of characters of a
 * row.
 */
export function fitting<Row>(rows: readonly Row[], lengthOf: (row: Row) => number): readonly Row[] {
  let length = 0;
  const end = rows.findIndex((row) => (length += lengthOf(row)) > maxRowsLength);
  return end === -1 ? rows : rows.slice(0, Math.max(1, end));
}
