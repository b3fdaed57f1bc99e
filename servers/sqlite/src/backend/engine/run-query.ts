import type Database from 'better-sqlite3';
import { type Cell, cellJson, type RawText } from '../values/cell-json.ts';
import { offsetOf, queryCursor } from '../values/page-cursor.ts';
import { exactRow, exactSql } from '../sql/undecodable-text.ts';
import { Refused } from '../errors.ts';
import { refuseUnlessReading } from '../sql/statement-guard.ts';
import type { Handle } from './connection.ts';
import { boundParameters, type Parameters, withRawText } from '../sql/bind-parameters.ts';
import { type Format, ResultText } from '../values/format-rows.ts';
import { bareStatement, ownLimit } from '../sql/tokenizer.ts';

export interface Query {
  readonly sql: string;
  readonly params?: Parameters | undefined;
  /** Rows to return at most. */
  readonly limit: number;
  /** Bytes of rows to return at most. */
  readonly maxBytes: number;
  readonly cursor?: string | undefined;
  readonly format: Format;
  /** Row by row also where many are asked for: slower, and without holding them all. */
  readonly stepwise?: boolean | undefined;
}

/** Takes a result piece by piece, so that a large one is on its way before it is whole. */
export interface Output {
  piece(json: string): void;
  /** What came so far does not count. */
  restart(): void;
}

const pieceLength = 64 * 1024;
/** Up to here rows are read one by one; more are had much faster all at once. */
const fewRows = 1_000;
/** Text holds this where bytes in it were no UTF-8; then all texts are looked at as bytes. */
export const replacement = '\uFFFD';

/** Runs one statement that reads. The pieces make up the JSON of the result; what is returned is its text. */
export function runQuery(handle: Handle, query: Query, output: Output): string {
  refuseUnlessReading(query.sql);
  handle.refresh();
  if (query.cursor === undefined) return read(handle, query, 0, output);
  // The pages of a result are of one commit: nothing was committed until after what is read now.
  const offset = offsetOf(query.cursor, { query: identityOf(query), change: handle.changeNow });
  return read(handle, query, offset, output);
}

/** Prepares SQL that came through the gate. Throws unless SQLite too says that it reads. */
export function prepareReading(handle: Handle, sql: string) {
  const statement = handle.prepare(sql);
  if (statement.reader && statement.readonly) return statement;
  throw new Refused(
    'This statement writes',
    'Use the tool write, where the server was started with --allow-write',
  );
}

function read(handle: Handle, query: Query, offset: number, output: Output): string {
  const sql = withRawText(query.sql, query.params);
  const rows = new Rows(query, offset, handle.change, output);
  const statement = prepareReading(handle, sql);
  rows.begin(statement);
  const params = boundParameters(sql, query.params);
  if (query.limit > fewRows && query.stepwise !== true) {
    const { bare, mostRows } = describe(statement);
    const whole =
      offset === 0 && mostRows <= query.limit
        ? statement
        : handle.prepare(`SELECT * FROM (\n${bare}\n) LIMIT ${query.limit + 1} OFFSET ${offset}`);
    const all = whole
      .raw(true)
      .safeIntegers(true)
      .all(...params) as Cell[][];
    // Everything has been read: nobody has to wait until much of it is written down.
    if (all.length > fewRows) handle.release();
    for (const row of all) if (!rows.add(row)) break;
  } else {
    let toSkip = offset;
    for (const row of statement
      .raw(true)
      .safeIntegers(true)
      .iterate(...params) as Iterable<Cell[]>) {
      if (toSkip > 0) {
        toSkip--;
        continue;
      }
      if (!rows.add(row)) break;
    }
  }
  if (!rows.isLossy()) return rows.end();
  output.restart();
  return readExactly(handle, sql, query, offset, output);
}

/** The same with each text as its bytes, for some are not what the database's encoding allows. */
function readExactly(handle: Handle, sql: string, query: Query, offset: number, output: Output): string {
  handle.refresh();
  const plain = prepareReading(handle, sql);
  const rows = new Rows(query, offset, handle.change, output, true);
  rows.begin(plain);
  const encoding = handle.database.pragma('encoding', { simple: true }) as string;
  const statement = prepareReading(handle, exactSql(sql, plain.columns().length));
  const params = boundParameters(sql, query.params);
  let toSkip = offset;
  for (const row of statement
    .raw(true)
    .safeIntegers(true)
    .iterate(...params) as Iterable<Cell[]>) {
    if (toSkip > 0) {
      toSkip--;
      continue;
    }
    if (!rows.add(exactRow(row, encoding))) break;
  }
  return rows.end();
}

interface Described {
  /** What the columns are called, and what they look like. */
  readonly names: readonly string[];
  readonly json: string;
  /** The statement itself, and how many rows it says that it gives at most. */
  readonly bare: string;
  readonly mostRows: number;
}

/** What is known of a statement; found out once for as long as it is kept. */
const described = new WeakMap<object, Described>();

function describe(statement: Database.Statement<unknown[], unknown>): Described {
  let known = described.get(statement);
  if (!known) {
    const columns = statement.columns();
    const facts = columns.map(({ name, type, table }) => ({
      name,
      ...(type !== null && { type }),
      ...(table !== null && { table }),
    }));
    known = {
      names: columns.map(({ name }) => name),
      json: `{"columns":${JSON.stringify(facts)},"rows":[`,
      bare: bareStatement(statement.source),
      mostRows: ownLimit(statement.source) ?? Number.POSITIVE_INFINITY,
    };
    described.set(statement, known);
  }
  return known;
}

/** The rows of one result on their way: counts, caps, and writes them as JSON and as text. */
class Rows {
  readonly #query: Query;
  readonly #offset: number;
  readonly #change: string;
  readonly #output: Output;
  readonly #exact: boolean;
  readonly #started = performance.now();
  readonly #cellBytes: number;
  #text: ResultText | undefined;
  #json = '';
  #count = 0;
  /** Bytes of the rows that have been handed over. */
  #bytes = 0;
  #truncated = false;
  #lossy = false;

  constructor(query: Query, offset: number, change: string, output: Output, exact = false) {
    this.#query = query;
    this.#offset = offset;
    this.#change = change;
    this.#output = output;
    this.#exact = exact;
    this.#cellBytes = Math.floor(query.maxBytes / 4);
  }

  /** Writes the columns. */
  begin(statement: Database.Statement<unknown[], unknown>): void {
    const { names, json } = describe(statement);
    this.#text = new ResultText(this.#query.format, names);
    this.#json = json;
  }

  /** Whether there is room for another. */
  add(row: readonly (Cell | RawText)[]): boolean {
    if (this.#count === this.#query.limit) return this.#full();
    const before = this.#json;
    let json = this.#count === 0 ? `${before}[` : `${before},[`;
    if (this.#text?.full === false) {
      const cells = row.map((cell) => cellJson(cell, this.#cellBytes));
      json += cells.join(',');
      this.#text.add(row, cells);
    } else {
      for (let index = 0; index < row.length; index++) {
        if (index > 0) json += ',';
        json += cellJson(row[index]!, this.#cellBytes);
      }
    }
    this.#json = `${json}]`;
    const { maxBytes } = this.#query;
    // A character has three bytes at most, so that they are counted only where it may be too many.
    if (
      this.#bytes + this.#json.length * 3 > maxBytes &&
      this.#bytes + Buffer.byteLength(this.#json) > maxBytes
    ) {
      if (this.#count > 0) {
        this.#json = before;
        return this.#full();
      }
      throw new Refused(
        `One row is longer than ${maxBytes} bytes`,
        'Select fewer columns, or parts of values with substr()',
      );
    }
    this.#count++;
    return this.#json.length <= pieceLength || this.#handOver(this.#json);
  }

  /** Whether some text is not what the database's encoding allows, so that all of it is to be read as bytes. */
  isLossy(): boolean {
    return this.#lossy || this.#json.includes(replacement);
  }

  end(): string {
    const nextCursor = this.#truncated
      ? queryCursor(this.#offset + this.#count, identityOf(this.#query), this.#change)
      : undefined;
    const elapsedMs = Math.round((performance.now() - this.#started) * 1_000) / 1_000;
    const next = nextCursor === undefined ? '' : `,"nextCursor":"${nextCursor}"`;
    const facts = `"rowCount":${this.#count},"truncated":${this.#truncated}${next},"elapsedMs":${elapsedMs}`;
    this.#output.piece(`${this.#json}],${facts}}`);
    return `${this.#text?.toString() ?? ''}${this.#note(nextCursor)}`;
  }

  /** Whether what is handed over is what the database holds. */
  #handOver(json: string): boolean {
    if (!this.#exact && json.includes(replacement)) {
      this.#lossy = true;
      return false;
    }
    this.#bytes += Buffer.byteLength(json);
    this.#output.piece(json);
    this.#json = '';
    return true;
  }

  #full(): boolean {
    this.#truncated = true;
    return false;
  }

  #note(nextCursor: string | undefined): string {
    const notes: string[] = [];
    const shown = this.#text?.shown ?? 0;
    if (this.#count === 0) notes.push('0 rows');
    if (shown < this.#count)
      notes.push(`${shown} of ${this.#count} rows shown; all are in structuredContent`);
    if (nextCursor !== undefined) {
      notes.push(`There are more rows: raise limit, or go on with cursor "${nextCursor}"`);
    }
    return notes.length === 0 ? '' : `\n\n${notes.join('\n')}`;
  }
}

function identityOf({ sql, params }: Query): string {
  return JSON.stringify([sql, params ?? null]);
}
