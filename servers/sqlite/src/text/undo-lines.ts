/** The lines that say how to undo a change: the statements for one call of `write`. */
export function undoLines(undo: readonly string[]): readonly string[] {
  const [first, ...others] = undo;
  if (first === undefined) return [];
  if (others.length === 0) return [`Undo: ${first}`];
  return ['Undo, in one write:', ...undo.map((sql) => `- ${sql}`)];
}
