import { countText } from './cell.ts';
import type { Filter } from './filters.ts';
import type { Schema } from './schema.ts';

interface ResultFacts {
  readonly columns: readonly unknown[];
  readonly filters: readonly Filter[];
  readonly count: number;
  readonly total: number | undefined;
  readonly unfiltered: number | undefined;
  readonly isCut: boolean;
  readonly isBusy: boolean;
  readonly elapsedMs: number | undefined;
  readonly note: string;
}

/** What is always said of the rows: how many, of how many columns, and how long the query took. */
export function factsText(result: ResultFacts): readonly string[] {
  const { columns, elapsedMs, isBusy, isCut, count, note } = result;
  if (elapsedMs === undefined) return [isBusy ? 'Running the query …' : ''].filter(Boolean);
  return [
    rowsText(result),
    columns.length === 1 ? '1 column' : `${countText(columns.length)} columns`,
    durationText(elapsedMs),
    isCut ? `the first ${countText(count)} are shown: filter to see others` : '',
    isBusy ? 'reading …' : '',
    note,
  ].filter((text) => text !== '');
}

function rowsText({ total, unfiltered, filters, count }: ResultFacts): string {
  if (total === undefined) return `more than ${countText(count > 200 ? count - 200 : count)} rows`;
  const rows = total === 1 ? '1 row' : `${countText(total)} rows`;
  if (filters.length === 0) return rows;
  return unfiltered === undefined
    ? `${rows}, filtered`
    : `${countText(total)} of ${countText(unfiltered)} rows`;
}

/** `3.2 ms`, or `1.4 s`. */
export function durationText(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${ms >= 10 ? Math.round(ms) : ms.toFixed(1)} ms`;
}

export function schemaFacts({ tables, total, database }: Schema): readonly string[] {
  const counted = total === 1 ? '1 table or view' : `${countText(total)} tables and views`;
  const keys = tables.reduce((sum, table) => sum + new Set(table.keys.map(({ table: to }) => to)).size, 0);
  return [
    tables.length < total ? `${countText(tables.length)} of ${counted}` : counted,
    keys === 1 ? '1 reference' : `${countText(keys)} references`,
    database,
  ];
}
