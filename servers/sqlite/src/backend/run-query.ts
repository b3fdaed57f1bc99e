import type Database from 'better-sqlite3';
import { type Cell, cellJson, type RawText } from './cell.ts';
import { offsetOf, queryCursor } from './cursor.ts';
import { exactRow, exactSql } from './exact-text.ts';
import { Refused } from './failure.ts';
import { refuseUnlessReading } from './gate.ts';
import type { Handle } from './handle.ts';
import { boundParameters, type Parameters, withRawText } from './parameters.ts';
import { type Format, ResultText } from './result-text.ts';

export interface Query {
  readonly sql: string;
  readonly params?: Parameters | undefined;
  /** Rows to return at most. */
  readonly limit: number;
  /** Bytes of rows to return at most. */
  readonly maxBytes: number;
  readonly cursor?: string | undefined;
  readonly format: Format;
}

/** Takes a result piece by piece, so that a large one is on its way before it is whole. */
export interface Output {
  piece(json: string): void;
  /** What came so far does not count. */
  restart(): void;
}

const pieceLength = 32 * 1024;
/** Text holds this where bytes in it were no UTF-8; then all texts are looked at as bytes. */
const replacement = '\uFFFD';

/** Runs one statement that reads. The pieces make up the JSON of the result; what is returned is its text. */
export function runQuery(handle: Handle, query: Query, output: Output): string {
  refuseUnlessReading(query.sql);
  const database = handle.refresh();
  if (query.cursor === undefined) return read(handle, query, 0, handle.change(), output);
  // The pages of a result are of one commit: what is compared is what is read.
  return inSnapshot(database, () => {
    const change = handle.change({ now: true });
    const offset = offsetOf(query.cursor!, { query: identityOf(query), change });
    return read(handle, query, offset, change, output);
  });
}

/** Runs `work` with nothing changing meanwhile. */
export function inSnapshot<T>(database: Database.Database, work: () => T): T {
  database.exec('BEGIN');
  try {
    database.prepare('SELECT 1 FROM sqlite_schema').get();
    return work();
  } finally {
    database.exec('COMMIT');
  }
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

function read(handle: Handle, query: Query, offset: number, change: string, output: Output): string {
  const sql = withRawText(query.sql, query.params);
  const rows = new Rows(query, offset, change, output);
  const statement = prepareReading(handle, sql);
  const params = boundParameters(sql, query.params);
  let lossy = false;
  for (const row of statement
    .raw(true)
    .safeIntegers(true)
    .iterate(...params) as Iterable<Cell[]>) {
    if (rows.skip()) continue;
    rows.begin(statement);
    if (row.some((cell) => typeof cell === 'string' && cell.includes(replacement))) {
      lossy = true;
      break;
    }
    if (!rows.add(row)) break;
  }
  if (lossy) {
    output.restart();
    return readExactly(handle, sql, query, offset, change, output);
  }
  rows.begin(statement);
  return rows.end();
}

/** The same with each text as its bytes, for some are not what the database's encoding allows. */
function readExactly(
  handle: Handle,
  sql: string,
  query: Query,
  offset: number,
  change: string,
  output: Output,
): string {
  const plain = prepareReading(handle, sql);
  const rows = new Rows(query, offset, change, output);
  const encoding = handle.database.pragma('encoding', { simple: true }) as string;
  const statement = prepareReading(handle, exactSql(sql, plain.columns().length));
  const params = boundParameters(sql, query.params);
  for (const row of statement
    .raw(true)
    .safeIntegers(true)
    .iterate(...params) as Iterable<Cell[]>) {
    if (rows.skip()) continue;
    rows.begin(plain);
    if (!rows.add(exactRow(row, encoding))) break;
  }
  rows.begin(plain);
  return rows.end();
}

/** The rows of one result on their way: counts, caps, and writes them as JSON and as text. */
class Rows {
  readonly #query: Query;
  readonly #offset: number;
  readonly #change: string;
  readonly #output: Output;
  readonly #started = performance.now();
  readonly #cellBytes: number;
  #toSkip: number;
  #text: ResultText | undefined;
  #json = '';
  #count = 0;
  #bytes = 0;
  #truncated = false;

  constructor(query: Query, offset: number, change: string, output: Output) {
    this.#query = query;
    this.#offset = offset;
    this.#toSkip = offset;
    this.#change = change;
    this.#output = output;
    this.#cellBytes = Math.floor(query.maxBytes / 4);
  }

  skip(): boolean {
    if (this.#toSkip === 0) return false;
    this.#toSkip--;
    return true;
  }

  /** Writes the columns, which are right only once the statement runs: a schema may change before. */
  begin(statement: Database.Statement<unknown[], unknown>): void {
    if (this.#text) return;
    const columns = statement.columns();
    this.#text = new ResultText(
      this.#query.format,
      columns.map(({ name }) => name),
    );
    const described = columns.map(({ name, type, table }) => ({
      name,
      ...(type !== null && { type }),
      ...(table !== null && { table }),
    }));
    this.#json = `{"columns":${JSON.stringify(described)},"rows":[`;
  }

  /** Whether there is room for another. */
  add(row: readonly (Cell | RawText)[]): boolean {
    if (this.#count === this.#query.limit) return this.#full();
    const json = row.map((cell) => cellJson(cell, this.#cellBytes));
    const line = `[${json.join(',')}]`;
    this.#bytes += Buffer.byteLength(line) + 1;
    if (this.#bytes > this.#query.maxBytes) {
      if (this.#count > 0) return this.#full();
      throw new Refused(
        `One row is longer than ${this.#query.maxBytes} bytes`,
        'Select fewer columns, or parts of values with substr()',
      );
    }
    this.#text?.add(row, json);
    this.#json += this.#count === 0 ? line : `,${line}`;
    this.#count++;
    if (this.#json.length > pieceLength) {
      this.#output.piece(this.#json);
      this.#json = '';
    }
    return true;
  }

  end(): string {
    const nextCursor = this.#truncated
      ? queryCursor(this.#offset + this.#count, identityOf(this.#query), this.#change)
      : undefined;
    const elapsedMs = Math.round((performance.now() - this.#started) * 1_000) / 1_000;
    const facts = {
      rowCount: this.#count,
      truncated: this.#truncated,
      ...(nextCursor !== undefined && { nextCursor }),
      elapsedMs,
    };
    this.#output.piece(`${this.#json}],${JSON.stringify(facts).slice(1)}`);
    return `${this.#text?.toString() ?? ''}${this.#note(nextCursor)}`;
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
