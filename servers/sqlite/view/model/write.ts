import { escapedText, listOf, objectOf } from '@mcp/views/model';
import { type Cell, cellOf } from './cell.ts';
import { type Column, lineOf } from './answer.ts';

type Arguments = { readonly [name: string]: unknown };

export interface StatementEffect {
  readonly changes: number;
  readonly totalChanges: number;
  readonly schemaChanges: readonly string[];
  readonly rowid: Cell | undefined;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly returned: number;
}

/** What a call of `write` did. */
export interface WriteFacts {
  readonly isDryRun: boolean;
  readonly effects: readonly StatementEffect[];
  /** The statements that undo it, as they are. */
  readonly undo: readonly string[];
  /** Whether these are all statements. */
  readonly isWhole: boolean;
  /** Whether old rows have changed, and nothing undoes that. */
  readonly isFinal: boolean;
  /** The question that the user has confirmed before; empty if there was none. */
  readonly confirmed: string;
}

const confirmedKey = 'io.github.mcp-reference/confirmed';
const maxStatements = 100;
const maxRows = 50;

/** Reads the result of `write`. Undefined without its facts. */
export function writeFactsOf(content: unknown, meta: unknown): WriteFacts | undefined {
  const { dryRun, results, undo, isFinal, shortened } = objectOf(content);
  if (!Array.isArray(results)) return undefined;
  return {
    isDryRun: dryRun === true,
    effects: listOf(results, maxStatements).map((each) => effectOf(objectOf(each))),
    undo: listOf(undo, 1_000).filter((each) => typeof each === 'string'),
    isWhole: shortened !== true,
    isFinal: isFinal === true,
    confirmed: escapedText(objectOf(meta)[confirmedKey], 2_000),
  };
}

function effectOf(result: Arguments): StatementEffect {
  const { changes, totalChanges, lastInsertRowid, schemaChanges, columns, rows, returned } = result;
  const shown = listOf(rows, maxRows).map((row) => listOf(row, 100).map(cellOf));
  return {
    changes: countOf(changes),
    totalChanges: countOf(totalChanges),
    schemaChanges: listOf(schemaChanges, 20).map((each) => lineOf(each)),
    rowid: lastInsertRowid === undefined ? undefined : cellOf(lastInsertRowid),
    columns: listOf(columns, 100).map((name) => ({ name: lineOf(name), type: '' })),
    rows: shown,
    returned: typeof returned === 'number' ? returned : listOf(rows, 10_000).length,
  };
}

function countOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** The statements of a call, by each of the names that the server understands. */
export function statementsOf(args: Arguments): string[] {
  const {
    sql = args['query'] ?? args['statement'] ?? args['sql_query'] ?? args['sqlQuery'],
    more,
    statements,
  } = args;
  const all = [...(sql === undefined ? [] : [sql]), ...listOf(more, 1_000), ...listOf(statements, 1_000)];
  return all.flatMap((each) => {
    const text = typeof each === 'string' ? each : objectOf(each)['sql'];
    return typeof text === 'string' ? [text] : [];
  });
}

/** The arguments of one call of `write` that runs these statements. */
export function writeArguments(statements: readonly string[], database: unknown): Arguments {
  const [sql, ...more] = statements;
  return { sql, ...(more.length > 0 && { more }), ...(database !== undefined && { database }) };
}
