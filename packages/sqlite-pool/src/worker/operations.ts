import type { Connection } from '../engine/connection.ts';
import { explainQuery } from '../engine/explain-query.ts';
import { exportRows } from '../engine/export-rows.ts';
import { importFile } from '../engine/import-file.ts';
import { profileTable } from '../engine/profile-table.ts';
import { readRow, readRows } from '../engine/read-rows.ts';
import { runQuery } from '../engine/run-query.ts';
import { columnNames, tableNames } from '../engine/schema/completions.ts';
import { describeRelations } from '../engine/schema/describe-relations.ts';
import { describeSchema } from '../engine/schema/describe-schema.ts';
import { describeTable } from '../engine/schema/describe-table.ts';
import { listTables } from '../engine/schema/list-tables.ts';
import { readSchema } from '../engine/schema/read-schema.ts';
import type { Counting } from '../engine/schema/tables.ts';
import { searchTables } from '../engine/search-tables.ts';
import type { WriteEvents } from '../engine/writing/write-events.ts';
import { writeStatements } from '../engine/writing/write-statements.ts';
import type { PieceSink } from '../piece-sink.ts';

interface OverviewRequest {
  readonly table: string;
  readonly limit: number;
  readonly counting: Counting;
}

/** Returns the description of a table, with its row count as `count`, and its first rows. */
function readTableOverview(connection: Connection, args: OverviewRequest) {
  const { rows: count, ...description } = describeTable(connection, args);
  const { rows, nextCursor } = readRows(connection, { table: args.table, limit: args.limit });
  return { ...description, count, rows, nextCursor };
}

/** The operations that return a JSON value. Each takes a connection and JSON arguments. */
const operations = {
  tables: listTables,
  tableNames: (connection: Connection) => tableNames(connection),
  columnNames,
  schema: readSchema,
  describe: describeTable,
  describeAll: describeSchema,
  relations: describeRelations,
  overview: readTableOverview,
  profile: profileTable,
  rows: readRows,
  row: readRow,
  search: searchTables,
  explain: explainQuery,
  write: writeStatements,
  import: importFile,
  /** Rolls back the unfinished transaction of a killed process. SQLite does that when it begins to read. */
  repair(connection: Connection) {
    connection.refresh().prepare('SELECT 1 FROM sqlite_schema').get();
    return true;
  },
};

/**
 * The operations that write JSON to a sink in pieces. Each also returns a text: `query` an answer for a
 * model, `export` the number of rows.
 */
const streams = { query: runQuery, export: exportRows } satisfies {
  readonly [name: string]: (connection: Connection, args: never, sink: PieceSink) => string;
};

/**
 * Runs an operation. Returns its value; an operation of `streams` writes JSON in pieces to `sink` instead,
 * and returns a text.
 */
export function runOperation(
  name: string,
  connection: Connection,
  args: unknown,
  { events, sink }: { readonly events: WriteEvents; readonly sink: PieceSink },
): { readonly text: string } | { readonly value: unknown } {
  type Run<Last> = (connection: Connection, args: unknown, last: Last) => unknown;
  if (Object.hasOwn(streams, name)) {
    const run = streams[name as keyof Streams] as Run<PieceSink>;
    return { text: run(connection, args, sink) as string };
  }
  if (!Object.hasOwn(operations, name)) throw new Error(`Unknown operation: "${name}"`);
  const run = operations[name as keyof Operations] as Run<WriteEvents>;
  return { value: run(connection, args, events) };
}

export type { BackupProgress } from '../engine/backup-database.ts';
export type { ImportProgress } from '../engine/writing/write-events.ts';
export type Operations = typeof operations;
export type Streams = typeof streams;
export type Arguments<Name extends keyof Operations> =
  Parameters<Operations[Name]> extends [unknown, infer Args, ...unknown[]] ? Args : Record<never, never>;
export type Answer<Name extends keyof Operations> = ReturnType<Operations[Name]>;
export type StreamArguments<Name extends keyof Streams> = Parameters<Streams[Name]>[1];
