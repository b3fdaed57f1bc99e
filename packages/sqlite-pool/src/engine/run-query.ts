import type { PieceSink } from '../piece-sink.ts';
import { boundParameters, withRawText } from '../sql/bind-parameters.ts';
import { assertReading } from '../sql/statement-guard.ts';
import { exactRows, exactSql } from '../sql/undecodable-text.ts';
import { offsetOf } from '../values/page-cursor.ts';
import { compareQueries } from './compare-queries.ts';
import type { Connection } from './connection.ts';
import { allCells, iterateCells, prepareReading } from './prepare-reading.ts';
import { factsOf, identityOf, type Query, ResultRows } from './result-rows.ts';

/** Up to this limit rows are read one by one; more rows are read much faster in one array. */
const maxStepwiseRows = 1_000;

/** Runs one reading statement. The pieces make up the JSON of the result; its text is returned. */
export function runQuery(connection: Connection, query: Query, sink: PieceSink): string {
  assertReading(query.sql);
  connection.refresh();
  const offset =
    query.cursor === undefined
      ? 0
      : offsetOf(query.cursor, { query: identityOf(query), stamp: connection.latestStamp });
  const { compare } = query;
  return read(
    connection,
    compare === undefined ? query : compareQueries(connection, query, compare),
    offset,
    sink,
  );
}

function read(connection: Connection, query: Query, offset: number, sink: PieceSink): string {
  const sql = withRawText(query.sql, query.params);
  const statement = prepareReading(connection, sql);
  const { snapshotStamp } = connection;
  const rows = new ResultRows(statement, { query, offset, snapshotStamp }, sink);
  const params = boundParameters(sql, query.params);
  // A text has few rows.
  const isLarge = query.format === 'json' && query.limit > maxStepwiseRows;
  if (isLarge && query.stepwise !== true) {
    const { bare, maxRows } = factsOf(statement);
    const limited =
      offset === 0 && maxRows <= query.limit
        ? statement
        : connection.prepare(`SELECT * FROM (\n${bare}\n) LIMIT ${query.limit + 1} OFFSET ${offset}`);
    const all = allCells(limited, params);
    // Encoding many rows takes a while, in which others may write.
    if (all.length > maxStepwiseRows) connection.endSnapshot();
    rows.addAll(all);
  } else {
    rows.addAll(iterateCells(statement, params), offset);
  }
  if (!rows.hasReplacement()) return rows.end();
  sink.restart();
  return readExactly(connection, sql, query, offset, sink);
}

/** Reads again with every text as bytes, since some text is invalid in the database's encoding. */
function readExactly(
  connection: Connection,
  sql: string,
  query: Query,
  offset: number,
  sink: PieceSink,
): string {
  connection.refresh();
  const plain = prepareReading(connection, sql);
  const { snapshotStamp } = connection;
  const rows = new ResultRows(plain, { query, offset, snapshotStamp, exact: true }, sink);
  const encoding = connection.database.pragma('encoding', { simple: true }) as string;
  const statement = prepareReading(connection, exactSql(sql, plain.columns().length));
  const cells = iterateCells(statement, boundParameters(sql, query.params));
  rows.addAll(exactRows(cells, encoding), offset);
  return rows.end();
}
