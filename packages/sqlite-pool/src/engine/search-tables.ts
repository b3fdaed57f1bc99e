import { messageOf } from '@mcp/kit';
import { cellJson } from '../values/cell-json.ts';
import { beginningOf, DatabaseError } from '../errors.ts';
import type { Connection } from './connection.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { type Column, columnsOf, rowidName } from './schema/columns.ts';
import { findTable } from './schema/find-table.ts';
import { queryNames } from './schema/query-all.ts';

export interface Match {
  readonly table: string;
  readonly column?: string;
  /** The rowid, encoded as in query results; missing if the table has no rowid. */
  readonly rowid?: unknown;
  /** The text around the match. */
  readonly text: string;
}

export interface Matches {
  readonly matches: readonly Match[];
  readonly truncated: boolean;
  /** Whether the text was searched for word by word, because it is not a valid full-text expression. */
  readonly quoted: boolean;
}

const contextLength = 80;
const maxSnippetLength = 400;

/** Searches one table or all tables, with the full-text index or, without one, in every text value. */
export function searchTables(
  connection: Connection,
  {
    table,
    text,
    limit,
  }: { readonly table?: string | undefined; readonly text: string; readonly limit: number },
): Matches {
  connection.refresh();
  const tables = table === undefined ? searchableTables(connection) : [findTable(connection, table).name];
  const matches: Match[] = [];
  let isQuoted = false;
  for (const name of tables) {
    const left = limit + 1 - matches.length;
    if (left <= 0) break;
    const version = fullTextVersion(connection, name);
    if (version === undefined) {
      matches.push(...searchByComparison(connection, name, text, left, table === undefined));
    } else {
      const matched = searchFullText(connection, name, text, left, version);
      isQuoted ||= matched.quoted;
      matches.push(...matched.matches);
    }
  }
  return { matches: matches.slice(0, limit), truncated: matches.length > limit, quoted: isQuoted };
}

/** The tables to search. Full-text tables come first; their internal shadow tables are left out. */
function searchableTables(connection: Connection): readonly string[] {
  return queryNames(
    connection,
    `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')
     AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type = 'virtual' DESC, name`,
  );
}

function fullTextVersion(connection: Connection, table: string): string | undefined {
  const [sql] = queryNames(connection, 'SELECT sql FROM sqlite_schema WHERE name = ?', table);
  const using = /^\s*create\s+virtual\s+table\b[^(]*\busing\s+(fts[345])\b/i.exec(sql ?? '');
  return using?.[1]?.toLowerCase();
}

function searchFullText(connection: Connection, table: string, text: string, limit: number, version: string) {
  const name = quoteIdentifier(table);
  const snippet =
    version === 'fts5' ? `snippet(${name}, -1, '', '', '…', 16)` : `snippet(${name}, '', '', '…')`;
  const order = version === 'fts5' ? 'ORDER BY rank' : '';
  const sql = `SELECT rowid, ${snippet} AS text FROM ${name} WHERE ${name} MATCH ? ${order} LIMIT ${limit}`;
  const find = (expression: string) =>
    matchingRows(connection, sql, expression).map((row) => ({
      table,
      ...row,
      text: beginningOf(row.text, maxSnippetLength),
    }));
  try {
    return { matches: find(text), quoted: false };
  } catch (error) {
    const words = text.split(/\s+/).filter((word) => word !== '');
    if (words.length === 0) throw new DatabaseError({ message: 'text is empty: nothing to search for' });
    try {
      return {
        matches: find(words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ')),
        quoted: true,
      };
    } catch {
      throw new DatabaseError({ message: messageOf(error) }, { cause: error });
    }
  }
}

/**
 * Searches every text value of a table. `skipMissingModules` skips a virtual table whose module is missing.
 */
function searchByComparison(
  connection: Connection,
  table: string,
  text: string,
  limit: number,
  skipMissingModules: boolean,
): Match[] {
  let columns: readonly Column[];
  try {
    columns = columnsOf(connection, table).filter(({ hidden }) => !hidden);
  } catch (error) {
    if (skipMissingModules && messageOf(error).startsWith('no such module: ')) return [];
    throw error;
  }
  const rowid = rowidName(columns);
  const withRowid =
    rowid !== undefined &&
    queryNames(
      connection,
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND name = ? AND wr = 0 AND type <> 'view'",
      table,
    ).length > 0;
  const matches: Match[] = [];
  for (const { name: column } of columns) {
    if (matches.length >= limit) break;
    const quoted = quoteIdentifier(column);
    // `instr` has no wildcards, so the text needs no escapes. `lower` changes only ASCII letters.
    const sql = `SELECT ${withRowid ? `${rowid} AS rowid` : 'NULL AS rowid'}, substr(${quoted}, max(1, instr(lower(${quoted}), lower(@text)) - 20), ${contextLength}) AS text
      FROM ${quoteIdentifier(table)} WHERE typeof(${quoted}) = 'text' AND instr(lower(${quoted}), lower(@text)) > 0 LIMIT ${limit - matches.length}`;
    for (const row of matchingRows(connection, sql, { text })) matches.push({ table, column, ...row });
  }
  return matches;
}

function matchingRows(
  connection: Connection,
  sql: string,
  param: unknown,
): { readonly rowid?: unknown; readonly text: string }[] {
  const rows = connection.prepare(sql).raw(true).safeIntegers(true).all(param) as [
    bigint | null,
    string | null,
  ][];
  return rows.map(([rowid, text]) => ({
    ...(rowid !== null && { rowid: JSON.parse(cellJson(rowid, maxSnippetLength)) as unknown }),
    text: text ?? '',
  }));
}
