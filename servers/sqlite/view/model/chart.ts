import type { ChartPair, ChartValue } from '@mcp/views/model';
import type { Cell } from './cell.ts';

/** The pairs of a chart of two columns. */
export function pairsOf(rows: readonly (readonly Cell[])[]): ChartPair[] {
  return rows.flatMap(([x, y]) => (x && y ? [[valueOf(x), valueOf(y)] as const] : []));
}

function valueOf({ kind, text }: Cell): ChartValue {
  if (kind === 'null') return { text: 'NULL' };
  const isNumber = kind === 'integer' || kind === 'real';
  return { text: text.slice(0, 80).replaceAll('\n', '↵'), ...(isNumber && { number: Number(text) }) };
}

/**
 * The columns that a chart begins with: the first that is not of numbers, or else the first; and one of
 * numbers, rather not the first, which often is a key.
 */
export function firstPair(isNumeric: readonly boolean[]): readonly [x: number, y: number] {
  const x = Math.max(0, isNumeric.indexOf(false));
  const numbers = isNumeric.flatMap((each, index) => (each && index !== x ? [index] : []));
  return [x, numbers.find((index) => index > 0) ?? numbers[0] ?? Math.min(1, isNumeric.length - 1)];
}
