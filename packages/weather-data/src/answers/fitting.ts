/** The number of characters of the rows of an answer, which leaves room for its notes within 40,000. */
const maxRowsLength = 36_000;

/** The first rows, as many as fit into one answer; at least one. `lengthOf` returns their characters. */
export function fitting<Row>(rows: readonly Row[], lengthOf: (row: Row) => number): readonly Row[] {
  let length = 0;
  const end = rows.findIndex((row) => (length += lengthOf(row)) > maxRowsLength);
  return end === -1 ? rows : rows.slice(0, Math.max(1, end));
}
