import { type Cell, shortText } from './cell.ts';
import type { Column } from './answer.ts';

/** In CSS pixels. */
export const rowHeight = 28;
/** A column takes at most this part of the width, so that others are visible too. */
const mostOfWidth = 0.55;
const widths = { least: 64, most: 340, padding: 26 } as const;

/** A range: from the first to before the last. */
export type Span = readonly [from: number, to: number];

/** Rows above and below the visible ones that are drawn too. */
const moreRows = 6;

/** The rows that are visible, and some more. */
export function rowsIn(scrollTop: number, height: number, count: number): Span {
  const from = Math.max(0, Math.floor(scrollTop / rowHeight) - moreRows);
  return [Math.min(from, count), Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + moreRows)];
}

/** The columns that are visible. `edges` has the left side of each, and the right side of the last. */
export function columnsIn(edges: readonly number[], scrollLeft: number, width: number): Span {
  const count = edges.length - 1;
  let from = 0;
  while (from < count && edges[from + 1]! <= scrollLeft) from++;
  let to = from;
  while (to < count && edges[to]! < scrollLeft + width) to++;
  return [from, to];
}

/** More values are not measured. */
const maxMeasured = 3_000;

/**
 * The edges of columns by their names and first rows, which fill `available` pixels where they are narrower.
 * `widthOf` measures a text.
 */
export function edgesOf(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  { available, widthOf }: { readonly available: number; readonly widthOf: (text: string) => number },
): readonly number[] {
  const measured = rows.slice(0, Math.ceil(maxMeasured / Math.max(1, columns.length)));
  const needed = columns.map(({ name, type }, index) => {
    const texts = measured.map((row) => (row[index] ? shortText(row[index]).slice(0, 60) : ''));
    const longest = Math.max(...[`${name} ↑↑`, type, ...texts].map(widthOf));
    const most = Math.max(widths.least, Math.min(widths.most, Math.round(available * mostOfWidth)));
    return Math.min(most, Math.max(widths.least, Math.ceil(longest) + widths.padding));
  });
  const rest = Math.max(0, available - needed.reduce((sum, width) => sum + width, 0));
  const edges = [0];
  for (const width of needed) edges.push(edges.at(-1)! + width + Math.floor(rest / needed.length));
  return edges;
}

/** Whether most of the values of a column are numbers, so that its name stands on the right. */
export function isNumeric(rows: readonly (readonly Cell[])[], column: number): boolean {
  const kinds = rows.map((row) => row[column]?.kind).filter((kind) => kind && kind !== 'null');
  const numbers = kinds.filter((kind) => kind === 'integer' || kind === 'real');
  return numbers.length * 2 > kinds.length;
}

export interface Place {
  /** From 0; -1 is the row of names. */
  readonly row: number;
  readonly column: number;
}

interface Extent {
  readonly rows: number;
  readonly columns: number;
  /** How many rows are visible. */
  readonly page: number;
}

interface Key {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** Where a key leads; undefined for another key. */
export function placeAfter(
  { key, ctrlKey, metaKey }: Key,
  { row, column }: Place,
  { rows, columns, page }: Extent,
): Place | undefined {
  const isFar = ctrlKey || metaKey;
  const moves: { readonly [key: string]: Place } = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    PageUp: { row: Math.max(Math.min(row, 0), row - page), column },
    PageDown: { row: row + page, column },
    Home: { row: isFar ? 0 : row, column: 0 },
    End: { row: isFar ? rows - 1 : row, column: columns - 1 },
  };
  const moved = Object.hasOwn(moves, key) ? moves[key]! : undefined;
  return (
    moved && {
      row: Math.max(-1, Math.min(rows - 1, moved.row)),
      column: Math.max(0, Math.min(columns - 1, moved.column)),
    }
  );
}
