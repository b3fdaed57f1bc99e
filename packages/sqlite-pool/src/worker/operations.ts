import type { Connection } from '../engine/connection.ts';
import { explainQuery } from '../engine/explain-query.ts';
import { exportRows } from '../engine/export-rows.ts';
import { importFile } from '../engine/import-file.ts';
import { profileTable } from '../engine/profile-table.ts';
import { readRow, readRows } from '../engine/read-rows.ts';
import { runQuery } from '../engine/run-query.ts';
import { columnNames, tableNames } from '../engine/schema/completions.ts';
import { describeTable } from '../engine/schema/describe-table.ts';
import { listTables } from '../engine/schema/list-tables.ts';
import { readSchema } from '../engine/schema/read-schema.ts';
import { searchTables } from '../engine/search-tables.ts';
import type { WriteEvents } from '../engine/writing/write-events.ts';
import { writeStatements } from '../engine/writing/write-statements.ts';
import type { PieceSink } from '../piece-sink.ts';

/** A table's description, with its row count as `count`, and its first rows. */
function readTableOverview(
  connection: Connection,
  {
    table,
    limit,
    countViews,
  }: { readonly table: string; readonly limit: number; readonly countViews: boolean },
) {
  const { rows: count, ...description } = describeTable(connection, { table, countViews });
  const { rows, nextCursor } = readRows(connection, { table, limit });
  return { ...description, count, rows, nextCursor };
}

/** The operations of a database process: each takes a connection and JSON arguments, and returns JSON. */
export const operations = {
  tables: listTables,
  tableNames: (connection: Connection) => tableNames(connection),
  columnNames,
  schema: readSchema,
  describe: describeTable,
  overview: readTableOverview,
  profile: profileTable,
  rows: readRows,
  row: readRow,
  search: searchTables,
  explain: explainQuery,
  write: writeStatements,
  import: importFile,
  /** Rolls back an unfinished transaction of another process, which SQLite does when it begins to read. */
  repair(connection: Connection) {
    connection.refresh().prepare('SELECT 1 FROM sqlite_schema').get();
    return true;
  },
};

/** Operations that write their result in pieces, and return a text for it. */
export const streams = { query: runQuery, export: exportRows } satisfies {
  readonly [name: string]: (connection: Connection, args: never, sink: PieceSink) => string;
};

/** Throws where there is no such operation. */
export function runOperation(
  name: string,
  connection: Connection,
  args: unknown,
  events: WriteEvents,
): unknown {
  if (!Object.hasOwn(operations, name)) throw new Error(`Unknown operation: "${name}"`);
  const run = operations[name as keyof Operations] as (
    connection: Connection,
    args: unknown,
    events: WriteEvents,
  ) => unknown;
  return run(connection, args, events);
}

export function runStream(
  name: keyof Streams,
  connection: Connection,
  args: unknown,
  sink: PieceSink,
): string {
  const run = streams[name] as (connection: Connection, args: unknown, sink: PieceSink) => string;
  return run(connection, args, sink);
}

export function isStream(name: string): name is keyof Streams {
  return Object.hasOwn(streams, name);
}

export type { BackupProgress } from '../engine/backup-database.ts';
export type { ImportProgress } from '../engine/writing/write-events.ts';
export type Operations = typeof operations;
export type Streams = typeof streams;
export type Arguments<Name extends keyof Operations> =
  Parameters<Operations[Name]> extends [unknown, infer Args, ...unknown[]] ? Args : Record<never, never>;
export type Answer<Name extends keyof Operations> = ReturnType<Operations[Name]>;
export type StreamArguments<Name extends keyof Streams> = Parameters<Streams[Name]>[1];
