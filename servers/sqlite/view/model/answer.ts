import { escapedText, listOf, objectOf } from '@mcp/views/model';
import { type Cell, cellOf } from './cell.ts';

export interface Column {
  readonly name: string;
  /** The declared type; empty for an expression. */
  readonly type: string;
}

/** A part of the rows of a query. */
export interface Answer {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  /** Whether there are more rows after these. */
  readonly hasMore: boolean;
  readonly cursor: string | undefined;
  readonly elapsedMs: number;
}

const maxColumns = 2_000;
const maxRows = 5_000;
const maxNameLength = 200;

/** Reads the structured content of `read_result`. Throws for another content. */
export function answerOf(content: unknown): Answer {
  const { columns, rows, truncated, nextCursor, elapsedMs } = objectOf(content);
  if (!Array.isArray(columns) || !Array.isArray(rows)) throw new Error('The server returned no rows');
  return {
    columns: columnsOf(columns),
    rows: rows.slice(0, maxRows).map((row) => listOf(row, maxColumns).map(cellOf)),
    hasMore: truncated === true && typeof nextCursor === 'string',
    cursor: typeof nextCursor === 'string' ? nextCursor : undefined,
    elapsedMs: typeof elapsedMs === 'number' ? elapsedMs : 0,
  };
}

export function columnsOf(columns: unknown): Column[] {
  return listOf(columns, maxColumns).map((each) => {
    const { name, type } = objectOf(each);
    return { name: lineOf(name), type: lineOf(type) };
  });
}

/** A name on one line, with its hidden characters. */
export function lineOf(value: unknown, maxLength = maxNameLength): string {
  return escapedText(value, maxLength).replaceAll('\n', '↵');
}
