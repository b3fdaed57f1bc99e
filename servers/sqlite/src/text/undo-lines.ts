/**
 * The lines that say how to undo a change which has lost nothing old: the statements for one call of `write`.
 * If `lacksUndo`, there are none.
 */
export function undoLines(undo: readonly string[], lacksUndo = false): readonly string[] {
  if (lacksUndo) return ['No undo; nothing that was there before has changed'];
  const [first, ...others] = undo;
  if (first === undefined) return [];
  if (others.length === 0) return [`Undo: ${first}`];
  return ['Undo, in one write:', ...undo.map((sql) => `- ${sql}`)];
}
