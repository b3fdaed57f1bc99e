import { cellJson } from '../values/cell-json.ts';
import { DatabaseError, failureMessage } from '../errors.ts';
import type { Handle } from './connection.ts';
import { identifier } from '../sql/quote-identifier.ts';
import { all, type Column, columnsOf, existing, rowidName } from './schema.ts';

export interface Match {
  readonly table: string;
  readonly column?: string;
  /** The rowid, where there is one, as a value of a query is. */
  readonly rowid?: unknown;
  /** The text around the match, or its beginning. */
  readonly text: string;
}

export interface Matches {
  readonly matches: readonly Match[];
  readonly truncated: boolean;
  /** Whether the text was no full-text expression, so that its words were looked for instead. */
  readonly quoted: boolean;
}

const around = 80;
/** Characters that are shown of a word without an end. */
const longest = 400;

/** Finds text in one table or in all: by their full-text index where they have one, by comparing otherwise. */
export function search(
  handle: Handle,
  {
    table,
    text,
    limit,
  }: { readonly table?: string | undefined; readonly text: string; readonly limit: number },
): Matches {
  handle.refresh();
  const tables = table === undefined ? searchable(handle) : [existing(handle, table).name];
  const matches: Match[] = [];
  let quoted = false;
  for (const name of tables) {
    const left = limit + 1 - matches.length;
    if (left <= 0) break;
    const version = fullTextVersion(handle, name);
    if (version === undefined) {
      matches.push(...compare(handle, name, text, left, table === undefined));
    } else {
      const matched = match(handle, name, text, left, version);
      quoted ||= matched.quoted;
      matches.push(...matched.matches);
    }
  }
  return { matches: matches.slice(0, limit), truncated: matches.length > limit, quoted };
}

/** Tables that hold text of their own; what a full-text index keeps for another table is found there. */
function searchable(handle: Handle): readonly string[] {
  return all<{ name: string }>(
    handle,
    `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')
     AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type = 'virtual' DESC, name`,
  ).map(({ name }) => name);
}

function fullTextVersion(handle: Handle, table: string): string | undefined {
  const [found] = all<{ sql: string | null }>(handle, 'SELECT sql FROM sqlite_schema WHERE name = ?', table);
  return /^\s*create\s+virtual\s+table\b[^(]*\busing\s+(fts[345])\b/i
    .exec(found?.sql ?? '')?.[1]
    ?.toLowerCase();
}

function match(handle: Handle, table: string, text: string, limit: number, version: string) {
  const name = identifier(table);
  const shown =
    version === 'fts5' ? `snippet(${name}, -1, '', '', '…', 16)` : `snippet(${name}, '', '', '…')`;
  const order = version === 'fts5' ? 'ORDER BY rank' : '';
  const sql = `SELECT rowid, ${shown} AS text FROM ${name} WHERE ${name} MATCH ? ${order} LIMIT ${limit}`;
  const find = (expression: string) =>
    found(handle, sql, expression).map((row) => ({
      table,
      ...row,
      text: row.text.length > longest ? `${row.text.slice(0, longest).toWellFormed()}…` : row.text,
    }));
  try {
    return { matches: find(text), quoted: false };
  } catch (error) {
    const words = text.split(/\s+/).filter((word) => word !== '');
    if (words.length === 0) throw new DatabaseError({ message: 'There is nothing to search for' });
    try {
      return {
        matches: find(words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ')),
        quoted: true,
      };
    } catch {
      throw new DatabaseError({ message: failureMessage(error) }, { cause: error });
    }
  }
}

/** `whereItCan` leaves out a virtual table whose module is not here. */
function compare(handle: Handle, table: string, text: string, limit: number, whereItCan: boolean): Match[] {
  let columns: readonly Column[];
  try {
    columns = columnsOf(handle, table).filter(({ hidden }) => !hidden);
  } catch (error) {
    if (whereItCan && failureMessage(error).startsWith('no such module: ')) return [];
    throw error;
  }
  const rowid = rowidName(columns);
  const withRowid =
    rowid !== undefined &&
    handle
      .prepare(
        "SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND name = ? AND wr = 0 AND type <> 'view'",
      )
      .pluck()
      .get(table) === 1;
  const matches: Match[] = [];
  for (const { name: column } of columns) {
    if (matches.length >= limit) break;
    const c = identifier(column);
    // Without wildcards, so that every character of the text stands for itself; ASCII in either case.
    const sql = `SELECT ${withRowid ? `${rowid} AS rowid` : 'NULL AS rowid'}, substr(${c}, max(1, instr(lower(${c}), lower(@text)) - 20), ${around}) AS text
      FROM ${identifier(table)} WHERE typeof(${c}) = 'text' AND instr(lower(${c}), lower(@text)) > 0 LIMIT ${limit - matches.length}`;
    for (const row of found(handle, sql, { text })) matches.push({ table, column, ...row });
  }
  return matches;
}

function found(
  handle: Handle,
  sql: string,
  param: unknown,
): { readonly rowid?: unknown; readonly text: string }[] {
  const rows = handle.prepare(sql).raw(true).safeIntegers(true).all(param) as [
    bigint | null,
    string | null,
  ][];
  return rows.map(([rowid, text]) => ({
    ...(rowid !== null && { rowid: JSON.parse(cellJson(rowid, longest)) as unknown }),
    text: text ?? '',
  }));
}
