import type { Handle } from '../engine/connection.ts';
import { explainQuery } from '../engine/explain-query.ts';
import { exportRows } from '../engine/export-rows.ts';
import { type Output, runQuery } from '../engine/run-query.ts';
import { columnNames, describeTable, listTables, readSchema, tableNames } from '../engine/schema.ts';
import { profileTable } from '../engine/profile-table.ts';
import { search } from '../engine/search-tables.ts';
import { readRow, readRows } from '../engine/read-rows.ts';
import { writeStatement } from '../engine/write-statement.ts';

/** What a database process can be asked for, each with its arguments and what it gives. */
export const operations = {
  tables: listTables,
  tableNames: (handle: Handle) => tableNames(handle),
  columnNames,
  schema: (handle: Handle) => readSchema(handle),
  describe: describeTable,
  /** How a table looks, and its first rows. */
  overview: (handle: Handle, { table, limit }: { readonly table: string; readonly limit: number }) => ({
    description: describeTable(handle, { table }),
    page: readRows(handle, { table, limit }),
  }),
  profile: profileTable,
  rows: readRows,
  row: readRow,
  search,
  explain: explainQuery,
  write: writeStatement,
  /** Undoes what a process left that ended in the midst of writing: opening does. */
  repair(handle: Handle) {
    handle.refresh();
    return true;
  },
};

/** `committing` is called before anything is written for good. */
export function runOperation(
  name: keyof Operations,
  handle: Handle,
  args: unknown,
  committing: () => void,
): unknown {
  const run = operations[name] as (handle: Handle, args: unknown, committing: () => void) => unknown;
  return run(handle, args, committing);
}

/** What gives its result piece by piece. */
export const streams = { query: runQuery, export: exportRows } satisfies {
  readonly [name: string]: (handle: Handle, args: never, output: Output) => string;
};

export type Operations = typeof operations;
export type Streams = typeof streams;
export type Arguments<Name extends keyof Operations> =
  Parameters<Operations[Name]> extends [unknown, infer Args, ...unknown[]] ? Args : Record<never, never>;
export type Answer<Name extends keyof Operations> = ReturnType<Operations[Name]>;
export type StreamArguments<Name extends keyof Streams> = Parameters<Streams[Name]>[1];
