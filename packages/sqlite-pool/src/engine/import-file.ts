import { closeSync } from 'node:fs';
import { closestNames } from '@mcp/kit';
import type Database from 'better-sqlite3';
import { beginningOf, DatabaseError, Refused } from '../errors.ts';
import { ColumnTypes, type ColumnType } from '../records/column-types.ts';
import { openRegularFile } from '../regular-file.ts';
import { isRawText, type SqlParameters, withRawText } from '../sql/bind-parameters.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Connection } from './connection.ts';
import { errorIn } from './describe-error.ts';
import { cellOf, type ImportFormat, SourceFile, type StoredColumn } from './source-file.ts';
import { totalChanges } from './writing/total-changes.ts';
import { inTransaction } from './writing/transaction.ts';
import { UndoStatements } from './writing/undo-statements.ts';
import type { WriteEvents } from './writing/write-events.ts';

export interface ImportRequest {
  /** The absolute path. Its directory contains no symlinks. */
  readonly file: string;
  readonly format: ImportFormat;
  readonly table: string;
  /** Whether to add the rows to an existing table instead of creating a table. */
  readonly append: boolean;
  readonly dryRun: boolean;
  /** Whether to create the database file if it is missing. */
  readonly create: boolean;
}

export interface ImportedColumn {
  readonly name: string;
  readonly type: string;
  /** The number of rows that have no value in this column. */
  readonly nulls: number;
}

export interface ImportResult {
  /** The format of the file in words. */
  readonly format: string;
  readonly rows: number;
  readonly columns: readonly ImportedColumn[];
  /** The first rows, as text. */
  readonly sample: readonly (readonly string[])[];
  readonly createdDatabase: boolean;
  /** Statements that undo the import, in order. Empty in a dry run, and if `UndoStatements` finds none. */
  readonly undo: readonly string[];
  /** Whether no statements are known that would undo the import. */
  readonly lacksUndo?: boolean;
}

/** SQLite's default limit of columns. */
const maxColumns = 2_000;
const sampleRows = 3;
const maxSampleLength = 40;

/**
 * Reads the file twice: for the columns, then for the rows. Throws if the file changes during these reads.
 */
export function importFile(
  connection: Connection,
  request: ImportRequest,
  events: WriteEvents,
): ImportResult {
  const file = openRegularFile(request.file);
  try {
    return importOpened(connection, request, new SourceFile(file, request), events);
  } finally {
    closeSync(file);
  }
}

function importOpened(
  connection: Connection,
  { table, append, dryRun, create }: ImportRequest,
  source: SourceFile,
  events: WriteEvents,
): ImportResult {
  const types = new ColumnTypes({ typed: source.isTyped });
  const sample: (readonly unknown[])[] = [];
  for (const row of source.rows(events.progress, 0)) {
    types.add(row);
    if (sample.length < sampleRows) sample.push(row);
  }
  const { columns } = source.records;
  if (columns.length === 0) throw new Refused('The file has no records');
  if (columns.length > maxColumns) {
    throw new Refused(`The file has ${columns.length} columns; SQLite allows ${maxColumns}`);
  }
  const inferred = columns.map((name, index) => ({
    name,
    type: types.typeOf(index),
    nulls: types.nullsOf(index),
  }));
  const result = {
    format: source.records.description,
    rows: types.rows,
    sample: sample.map((row) => columns.map((_, index) => sampleText(row[index]))),
  };
  return inTransaction(connection, { create, dryRun, committing: events.committing }, (database, created) => {
    const target = append
      ? existingColumns(database, table, inferred)
      : createTable(database, table, inferred);
    const undo = new UndoStatements(connection.path, database);
    if (!append) undo.changedSchema(`DROP TABLE ${quoteIdentifier(table)}`, table);
    insertRows(database, { table, target, source, events, rows: types.rows, undo });
    source.assertUnchanged();
    const found = dryRun ? [] : undo.find();
    return {
      ...result,
      columns: target.map(({ name, type, nulls }) => ({ name, type, nulls })),
      createdDatabase: created,
      undo: found ?? [],
      ...(!found && { lacksUndo: true }),
    };
  });
}

type TargetColumn = ImportedColumn & StoredColumn;

function createTable(
  database: Database.Database,
  table: string,
  columns: readonly (ImportedColumn & { readonly type: ColumnType })[],
): readonly TargetColumn[] {
  const found = database
    .prepare('SELECT type FROM sqlite_schema WHERE name = ? COLLATE NOCASE')
    .pluck()
    .get(table) as string | undefined;
  if (found !== undefined) {
    throw new Refused(
      `A ${found} ${JSON.stringify(table)} exists`,
      'Choose another name, or add the rows to the table with append',
    );
  }
  const list = columns.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`.trimEnd()).join(', ');
  database.exec(`CREATE TABLE ${quoteIdentifier(table)} (${list})`);
  return columns.map((column) => ({ ...column, declared: false }));
}

function existingColumns(
  database: Database.Database,
  table: string,
  columns: readonly ImportedColumn[],
): readonly TargetColumn[] {
  const known = database
    .prepare('SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden IN (0, 1)')
    .all(table) as { readonly name: string; readonly type: string }[];
  if (known.length === 0) {
    throw new DatabaseError({
      code: 'SQLITE_ERROR',
      message: `no such table: ${table}`,
      near: closestNames(table, tableNamesIn(database)),
      hint: 'Leave out append to create the table',
    });
  }
  return columns.map(({ name, nulls }) => {
    const column = known.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (column) return { name: column.name, type: column.type, nulls, declared: true };
    const names = known.map((each) => each.name);
    throw new DatabaseError({
      message: `The table ${JSON.stringify(table)} has no column ${JSON.stringify(name)}`,
      near: closestNames(name, names),
      hint: `The columns of the table are ${names.join(', ')}`,
    });
  });
}

function tableNamesIn(database: Database.Database): readonly string[] {
  return database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[];
}

interface Insertion {
  readonly table: string;
  readonly target: readonly TargetColumn[];
  readonly source: SourceFile;
  readonly events: WriteEvents;
  readonly rows: number;
  readonly undo: UndoStatements;
}

function insertRows(
  database: Database.Database,
  { table, target, source, events, rows, undo }: Insertion,
): void {
  const columns = target.map((column) => quoteIdentifier(column.name)).join(', ');
  const sql = `INSERT INTO ${quoteIdentifier(table)} (${columns}) VALUES (${target.map(() => '?').join(', ')})`;
  const tracked = undo.track(sql, { verb: 'insert', table, hasWhere: false });
  const insert = database.prepare(sql);
  const insertionOf = (row: readonly unknown[]) =>
    row.some(isRawText) ? database.prepare(withRawText(sql, row as SqlParameters)) : insert;
  const before = totalChanges(database);
  let inserted = 0;
  let changes = 0;
  for (const row of source.rows(events.progress, 1)) {
    inserted++;
    try {
      changes += insertionOf(row).run(target.map((column, index) => cellOf(row[index], column))).changes;
    } catch (error) {
      throw errorIn(`Record ${inserted}`, error);
    }
  }
  if (inserted !== rows) source.assertUnchanged();
  undo.changed(tracked, changes, totalChanges(database) - before);
}

function sampleText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return beginningOf(text, maxSampleLength);
}
