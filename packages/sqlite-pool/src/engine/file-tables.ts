import { closeSync } from 'node:fs';
import { Refused } from '../errors.ts';
import { ColumnTypes } from '../records/column-types.ts';
import { openRegularFile } from '../regular-file.ts';
import { isRawText, type SqlParameters, withRawText } from '../sql/bind-parameters.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Connection } from './connection.ts';
import { errorIn } from './describe-error.ts';
import { cellOf, type ImportFormat, SourceFile } from './source-file.ts';

export interface FileTable {
  /** The name by which the query reads the file. */
  readonly name: string;
  /** The absolute path. Its directory contains no symlinks. */
  readonly file: string;
  readonly format: ImportFormat;
  /** Changes when the file changes. */
  readonly version: string;
}

/**
 * Calls `run` while the files are temporary tables of the connection. The connection must have been opened
 * with `files: true`, and must have begun its snapshot.
 */
export function withFileTables<Result>(
  connection: Connection,
  files: readonly FileTable[] | undefined,
  run: () => Result,
): Result {
  if (files === undefined) return run();
  const { database } = connection;
  const loaded: string[] = [];
  try {
    // The connection is read-only. This setting lets it write to its temporary schema.
    database.pragma('query_only = 0');
    for (const file of files) {
      if (isTable(connection, file.name)) continue;
      const same = loaded.find((name) => name.toLowerCase() === file.name.toLowerCase());
      if (same !== undefined) throw sameName(same, file.name);
      loaded.push(file.name);
      load(connection, file);
    }
    database.pragma('query_only = 1');
    return run();
  } finally {
    database.pragma('query_only = 0');
    for (const name of loaded) database.exec(`DROP TABLE IF EXISTS temp.${quoteIdentifier(name)}`);
    database.pragma('query_only = 1');
    // When the next query reads a file, the file may have other columns.
    connection.forgetStatements();
  }
}

function sameName(name: string, other: string): Refused {
  const names = [name, other].map((each) => JSON.stringify(each)).join(' and ');
  return new Refused(
    `SQLite ignores letter case, and so cannot distinguish the files ${names}`,
    'Read one of them by another path, such as "./…"',
  );
}

/** Whether a database has a table of this name. If so, a file of this name must not hide the table. */
function isTable({ database }: Connection, name: string): boolean {
  const sql = "SELECT 1 FROM pragma_table_list WHERE schema <> 'temp' AND name = ? COLLATE NOCASE";
  return database.prepare(sql).get(name) !== undefined;
}

/** Reads the file twice, as an import does: first for the types of its columns, then for its rows. */
function load({ database }: Connection, { name, file, format }: FileTable): void {
  const descriptor = openRegularFile(file);
  try {
    const source = new SourceFile(descriptor, { file, format });
    const types = new ColumnTypes({ typed: source.isTyped });
    for (const row of source.rows(undefined, 0)) types.add(row);
    const columns = source.records.columns.map((column, index) => ({
      name: column,
      type: types.typeOf(index),
      declared: false,
    }));
    if (columns.length === 0) throw new Refused(`The file has no records: ${JSON.stringify(name)}`);
    const table = `temp.${quoteIdentifier(name)}`;
    const list = columns
      .map((column) => `${quoteIdentifier(column.name)} ${column.type}`.trimEnd())
      .join(', ');
    database.exec(`CREATE TABLE ${table} (${list})`);
    const sql = `INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`;
    const insert = database.prepare(sql);
    for (const row of source.rows(undefined, 1)) {
      const statement = row.some(isRawText)
        ? database.prepare(withRawText(sql, row as SqlParameters))
        : insert;
      statement.run(columns.map((column, index) => cellOf(row[index], column)));
    }
    source.assertUnchanged();
  } catch (error) {
    throw errorIn(`The file ${JSON.stringify(name)}`, error);
  } finally {
    closeSync(descriptor);
  }
}
