import type { FileTable } from './file-tables.ts';
import type { PieceSink } from '../piece-sink.ts';
import type { SqlParameters } from '../sql/bind-parameters.ts';
import { bareStatement, ownLimit } from '../sql/tokenizer.ts';
import type { Cell, RawText } from '../values/cell-json.ts';
import { ResultJson } from './result-json.ts';
import { type TextFormat, ResultText } from '../values/result-text.ts';
import { queryCursor } from '../values/page-cursor.ts';
import type { PreparedStatement } from './connection.ts';
import type { Refinement } from '../refinement.ts';

export interface QueryRequest {
  /** A SELECT, WITH or VALUES statement. */
  readonly sql: string;
  readonly params?: SqlParameters | undefined;
  /** A second query. If given, the result has the rows that only one of the two queries returns. */
  readonly compare?: string | undefined;
  readonly files?: readonly FileTable[] | undefined;
  /** Maximum number of rows to return; defaults to `maxRows` of the databases. */
  readonly limit?: number | undefined;
  /** The cursor that the previous page returned. */
  readonly cursor?: string | undefined;
  /** How many rows to skip, from the cursor on; defaults to 0. */
  readonly skip?: number | undefined;
  /** Which of the rows and columns to return, in which order. */
  readonly refinement?: Refinement | undefined;
  /** The name of the caller's argument for `cursor`, which the answer mentions; defaults to `cursor`. */
  readonly continuedBy?: string | undefined;
  /** Maximum number of characters of the answer; defaults to the `maxBytes` of the databases. */
  readonly maxLength?: number | undefined;
  /** The form of the text. `json` returns every value exactly, as JSON. Defaults to `table`. */
  readonly format?: TextFormat | 'json' | undefined;
  /** Maximum number of bytes of a value in JSON; defaults to a quarter of the maximum for all rows. */
  readonly maxCellBytes?: number | undefined;
  /**
   * Whether a whole real in JSON is `{"$real":"1.0"}` and not `1.0`, which JavaScript reads as the integer 1.
   */
  readonly tagsReals?: boolean | undefined;
}

export interface Query extends QueryRequest {
  readonly limit: number;
  /** Whether the caller may get more rows by a greater `limit`. */
  readonly mayRaiseLimit?: boolean;
  /** Maximum number of bytes of the returned rows. */
  readonly maxBytes: number;
  /** Whether the caller set the limit of the answer, and so can ask for a longer answer. */
  readonly bounded?: boolean;
  readonly format: TextFormat | 'json';
  /** Whether to read row by row even for a large `limit`. That is slower, but needs less memory. */
  readonly stepwise?: boolean;
  /** The identity of the request, where the SQL has been replaced. */
  readonly identity?: string;
  /** Given if the result compares two queries. */
  readonly comparison?: ComparisonCounts;
}

/** The row counts of two queries, and how many rows only one of them returns. */
export interface ComparisonCounts {
  readonly sql: number;
  readonly compare: number;
  readonly onlySql: number;
  readonly onlyCompare: number;
}

interface StatementFacts {
  readonly names: readonly string[];
  /** The beginning of the result's JSON: its columns. */
  readonly json: string;
  /** The statement without comments and semicolons at its end. */
  readonly bare: string;
  /** The LIMIT of the statement itself; Infinity if it has none. */
  readonly maxRows: number;
}

/** The facts about each statement. They are freed together with the statement. */
const factsByStatement = new WeakMap<object, StatementFacts>();

export function factsOf(statement: PreparedStatement): StatementFacts {
  let facts = factsByStatement.get(statement);
  if (!facts) {
    const columns = statement.columns();
    const described = columns.map(({ name, type, table }) => ({
      name,
      ...(type !== null && { type }),
      ...(table !== null && { table }),
    }));
    facts = {
      names: columns.map(({ name }) => name),
      json: `{"columns":${JSON.stringify(described)},"rows":[`,
      bare: bareStatement(statement.source),
      maxRows: ownLimit(statement.source) ?? Number.POSITIVE_INFINITY,
    };
    factsByStatement.set(statement, facts);
  }
  return facts;
}

/** Returns a text that identifies a query. A cursor is accepted only for the same query. */
export function identityOf({ sql, params, compare, files, refinement, identity }: Query): string {
  const parts = [sql, params ?? null, compare, files, ...(refinement ? [refinement] : [])];
  return identity ?? JSON.stringify(parts);
}

interface ResultOrigin {
  readonly query: Query;
  /** The number of rows on the pages before this one. */
  readonly offset: number;
  readonly snapshotStamp: string;
  /**
   * Whether text was read as bytes, so that text that is invalid in the database's encoding is `RawText`.
   */
  readonly exact?: boolean;
}

/** Takes the rows of a result, and forms text or JSON from them. */
interface ResultBody {
  /** Adds a row. Returns false if the row does not fit. Throws if not even the first row fits. */
  add(row: readonly (Cell | RawText)[]): boolean;
  /** Whether a row already had text that may be invalid in the database's encoding. */
  readonly sawReplacement: boolean;
  /** Whether the rows must be read again as bytes, because text may be invalid in the database's encoding. */
  hasReplacement(): boolean;
}

/** Writes the rows of a result as text or JSON, within the limits of the query. */
export class ResultRows {
  readonly #query: Query;
  readonly #offset: number;
  readonly #snapshotStamp: string;
  readonly #startedAt = performance.now();
  readonly #text: ResultText | undefined;
  readonly #json: ResultJson | undefined;
  readonly #body: ResultBody;
  #count = 0;
  #truncated = false;

  constructor(
    statement: PreparedStatement,
    { query, offset, snapshotStamp, exact = false }: ResultOrigin,
    sink: PieceSink,
  ) {
    const { names, json } = factsOf(statement);
    const { format, maxBytes, bounded, maxCellBytes, tagsReals } = query;
    this.#query = query;
    this.#offset = offset;
    this.#snapshotStamp = snapshotStamp;
    const limits = { maxBytes, bounded, exact, maxCellBytes, tagsReals };
    if (format === 'json') this.#body = this.#json = new ResultJson(json, limits, sink);
    else this.#body = this.#text = new ResultText(format, names, { maxBytes, bounded, exact });
  }

  /** Skips the first `skip` rows, and adds the next rows as long as they fit. */
  addAll(rows: Iterable<readonly (Cell | RawText)[]>, skip = 0): void {
    let toSkip = skip;
    for (const row of rows) {
      if (toSkip > 0) toSkip--;
      else if (this.#count === this.#query.limit || !this.#body.add(row)) {
        this.#truncated = true;
        break;
      } else this.#count++;
      if (this.#body.sawReplacement) break;
    }
  }

  hasReplacement(): boolean {
    return this.#body.hasReplacement();
  }

  /**
   * Ends the result. If the rows are written as JSON, writes the last piece of it. Returns the text for the
   * model: the table, or the number of rows, and where the next page begins.
   */
  end(): string {
    const nextCursor = this.#truncated
      ? queryCursor(this.#offset + this.#count, identityOf(this.#query), this.#snapshotStamp)
      : undefined;
    this.#json?.end(this.#facts(nextCursor));
    const head = this.#text ? this.#text.toString() : `${this.#count} rows as JSON`;
    return `${head}${this.#note(nextCursor)}`;
  }

  #facts(nextCursor: string | undefined): string {
    const elapsedMs = Math.round((performance.now() - this.#startedAt) * 1_000) / 1_000;
    const next = nextCursor === undefined ? '' : `,"nextCursor":"${nextCursor}"`;
    const { comparison } = this.#query;
    const counts = comparison ? `,"comparison":${JSON.stringify(comparison)}` : '';
    return `"rowCount":${this.#count},"truncated":${this.#truncated}${next}${counts},"elapsedMs":${elapsedMs}`;
  }

  #note(nextCursor: string | undefined): string {
    const notes: string[] = [];
    const { comparison, limit, mayRaiseLimit = false, continuedBy = 'cursor' } = this.#query;
    if (comparison) notes.push(comparisonText(comparison));
    else if (this.#count === 0 && this.#text) notes.push('0 rows');
    if (nextCursor !== undefined) {
      const raise = mayRaiseLimit && this.#count === limit ? 'raise limit, or ' : '';
      notes.push(`${this.#count} rows; there are more: ${raise}continue with ${continuedBy} "${nextCursor}"`);
    }
    return notes.length === 0 ? '' : `\n\n${notes.join('\n')}`;
  }
}

function comparisonText({ sql, compare, onlySql, onlyCompare }: ComparisonCounts): string {
  return `sql: ${sql} rows, ${onlySql} of them not in compare; compare: ${compare} rows, ${onlyCompare} of them not in sql`;
}
