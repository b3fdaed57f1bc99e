import type { PieceSink } from '../piece-sink.ts';
import type { SqlParameters } from '../sql/bind-parameters.ts';
import { bareStatement, ownLimit } from '../sql/tokenizer.ts';
import { type Cell, cellJson, type RawText } from '../values/cell-json.ts';
import { Refused } from '../errors.ts';
import { type Format, ResultText } from '../values/format-rows.ts';
import { queryCursor } from '../values/page-cursor.ts';
import type { PreparedStatement } from './connection.ts';

export interface Query {
  readonly sql: string;
  readonly params?: SqlParameters | undefined;
  /** Rows to return at most. */
  readonly limit: number;
  /** Bytes of rows to return at most. */
  readonly maxBytes: number;
  readonly cursor?: string | undefined;
  readonly format: Format;
  /** Whether to read row by row even for a large `limit`: slower, without holding all rows in memory. */
  readonly stepwise?: boolean | undefined;
  /** A second query: the result has the rows of either that the other has not. */
  readonly compare?: string | undefined;
  /** Of such a result; `identity` is that of the query as it was requested. */
  readonly comparison?: { readonly identity: string; readonly counts: ComparisonCounts };
}

/** The rows of two queries, and those without an equal row in the other. */
export interface ComparisonCounts {
  readonly sql: number;
  readonly compare: number;
  readonly onlySql: number;
  readonly onlyCompare: number;
}

/** The driver decodes bytes that are not valid in the database's encoding as this character. */
export const replacement = '\uFFFD';

const pieceLength = 64 * 1024;

interface StatementFacts {
  readonly names: readonly string[];
  /** The beginning of the result's JSON: its columns. */
  readonly json: string;
  /** The statement without comments and semicolons at its end. */
  readonly bare: string;
  /** The LIMIT of the statement itself; infinite where it has none. */
  readonly maxRows: number;
}

/** Facts are kept as long as the statement is. */
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

/** What identifies a query for its cursors. */
export function identityOf({ sql, params, compare, comparison }: Query): string {
  return comparison?.identity ?? JSON.stringify([sql, params ?? null, compare]);
}

interface ResultOrigin {
  readonly query: Query;
  /** Rows before the first one. */
  readonly offset: number;
  readonly snapshotStamp: string;
  /** Whether cells hold text that is invalid in the database's encoding as `RawText`. */
  readonly exact?: boolean;
}

/** Writes the rows of a result as JSON and as text, up to the limits of the query. */
export class ResultRows {
  readonly #query: Query;
  readonly #offset: number;
  readonly #snapshotStamp: string;
  readonly #exact: boolean;
  readonly #sink: PieceSink;
  readonly #startedAt = performance.now();
  readonly #maxCellBytes: number;
  readonly #text: ResultText;
  #json: string;
  #count = 0;
  #sentBytes = 0;
  #truncated = false;
  #sawReplacement = false;

  constructor(
    statement: PreparedStatement,
    { query, offset, snapshotStamp, exact = false }: ResultOrigin,
    sink: PieceSink,
  ) {
    const { names, json } = factsOf(statement);
    this.#query = query;
    this.#offset = offset;
    this.#snapshotStamp = snapshotStamp;
    this.#exact = exact;
    this.#sink = sink;
    this.#maxCellBytes = Math.floor(query.maxBytes / 4);
    this.#text = new ResultText(query.format, names);
    this.#json = json;
  }

  /** Adds rows after the first `skip`, as long as they fit. */
  addAll(rows: Iterable<readonly (Cell | RawText)[]>, skip = 0): void {
    let toSkip = skip;
    for (const row of rows) {
      if (toSkip > 0) toSkip--;
      else if (!this.#add(row)) break;
    }
  }

  /** Whether text may be invalid in the database's encoding, so that the rows have to be read as bytes. */
  hasReplacement(): boolean {
    return this.#sawReplacement || this.#json.includes(replacement);
  }

  /** Writes the last piece. Returns the text of the result. */
  end(): string {
    const nextCursor = this.#truncated
      ? queryCursor(this.#offset + this.#count, identityOf(this.#query), this.#snapshotStamp)
      : undefined;
    const elapsedMs = Math.round((performance.now() - this.#startedAt) * 1_000) / 1_000;
    const next = nextCursor === undefined ? '' : `,"nextCursor":"${nextCursor}"`;
    const { comparison } = this.#query;
    const counts = comparison ? `,"comparison":${JSON.stringify(comparison.counts)}` : '';
    const facts = `"rowCount":${this.#count},"truncated":${this.#truncated}${next}${counts},"elapsedMs":${elapsedMs}`;
    this.#sink.write(`${this.#json}],${facts}}`);
    return `${this.#text.toString()}${this.#note(nextCursor)}`;
  }

  /** Returns whether there is room for another. */
  #add(row: readonly (Cell | RawText)[]): boolean {
    if (this.#count === this.#query.limit) return this.#truncate();
    const before = this.#json;
    let json = this.#count === 0 ? `${before}[` : `${before},[`;
    if (this.#text.full) {
      for (let index = 0; index < row.length; index++) {
        if (index > 0) json += ',';
        json += cellJson(row[index]!, this.#maxCellBytes);
      }
    } else {
      const cells = row.map((cell) => cellJson(cell, this.#maxCellBytes));
      json += cells.join(',');
      this.#text.add(row, cells);
    }
    this.#json = `${json}]`;
    if (this.#isTooLong()) {
      if (this.#count > 0) {
        this.#json = before;
        return this.#truncate();
      }
      throw new Refused(
        `One row exceeds ${this.#query.maxBytes} bytes`,
        'Select fewer columns, or parts of values with substr()',
      );
    }
    this.#count++;
    return this.#json.length <= pieceLength || this.#sendPiece();
  }

  #isTooLong(): boolean {
    const { maxBytes } = this.#query;
    // A UTF-16 code unit has at most three bytes in UTF-8, so that bytes are counted only near the limit.
    return (
      this.#sentBytes + this.#json.length * 3 > maxBytes &&
      this.#sentBytes + Buffer.byteLength(this.#json) > maxBytes
    );
  }

  /** Returns whether the piece was exact. */
  #sendPiece(): boolean {
    const json = this.#json;
    if (!this.#exact && json.includes(replacement)) {
      this.#sawReplacement = true;
      return false;
    }
    this.#sentBytes += Buffer.byteLength(json);
    this.#sink.write(json);
    this.#json = '';
    return true;
  }

  #truncate(): boolean {
    this.#truncated = true;
    return false;
  }

  #note(nextCursor: string | undefined): string {
    const notes: string[] = [];
    const { shown } = this.#text;
    const { comparison } = this.#query;
    if (comparison) notes.push(comparisonText(comparison.counts));
    else if (this.#count === 0) notes.push('0 rows');
    if (shown < this.#count)
      notes.push(`${shown} of ${this.#count} rows shown; all are in structuredContent`);
    if (nextCursor !== undefined) {
      notes.push(`There are more rows: raise limit, or continue with cursor "${nextCursor}"`);
    }
    return notes.length === 0 ? '' : `\n\n${notes.join('\n')}`;
  }
}

function comparisonText({ sql, compare, onlySql, onlyCompare }: ComparisonCounts): string {
  return `sql: ${sql} rows, ${onlySql} of them only there; compare: ${compare} rows, ${onlyCompare} of them only there`;
}
