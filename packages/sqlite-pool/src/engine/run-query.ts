import type { PieceSink } from '../piece-sink.ts';
import { boundParameters, withRawText } from '../sql/bind-parameters.ts';
import { assertReading } from '../sql/statement-guard.ts';
import { offsetOf } from '../values/page-cursor.ts';
import { compareQueries } from './compare-queries.ts';
import type { Connection } from './connection.ts';
import { allCells, iterateCells, iterateExactly, prepareReading } from './prepare-reading.ts';
import { withFileTables } from './file-tables.ts';
import { factsOf, identityOf, type Query, ResultRows } from './result-rows.ts';

/** If a query's limit is greater, its rows are read in one array, which is much faster than one by one. */
const maxStepwiseRows = 1_000;

/** Writes the result's JSON in pieces to `sink`, and returns the result's text. */
export function runQuery(connection: Connection, query: Query, sink: PieceSink): string {
  assertReading(query.sql);
  connection.refresh();
  const offset =
    query.cursor === undefined
      ? 0
      : offsetOf(query.cursor, { query: identityOf(query), stamp: connection.latestStamp });
  const { compare } = query;
  return withFileTables(connection, query.files, () =>
    read(
      connection,
      compare === undefined ? query : compareQueries(connection, query, compare),
      offset,
      sink,
    ),
  );
}

function read(connection: Connection, query: Query, offset: number, sink: PieceSink): string {
  const sql = withRawText(query.sql, query.params);
  const statement = prepareReading(connection, sql);
  const { snapshotStamp } = connection;
  const rows = new ResultRows(statement, { query, offset, snapshotStamp }, sink);
  const params = boundParameters(sql, query.params);
  // Only an answer in JSON can have more rows than `maxStepwiseRows`, because the length of text is limited.
  const isLarge = query.format === 'json' && query.limit > maxStepwiseRows;
  if (isLarge && query.stepwise !== true) {
    const { bare, maxRows } = factsOf(statement);
    const limited =
      offset === 0 && maxRows <= query.limit
        ? statement
        : connection.prepare(`SELECT * FROM (\n${bare}\n) LIMIT ${query.limit + 1} OFFSET ${offset}`);
    const all = allCells(limited, params);
    // Encoding many rows takes a while. The snapshot ends before that, so that others can write meanwhile.
    if (all.length > maxStepwiseRows) connection.endSnapshot();
    rows.addAll(all);
  } else {
    rows.addAll(iterateCells(statement, params), offset);
  }
  if (!rows.hasReplacement()) return rows.end();
  sink.restart();
  connection.refresh();
  const again = { query, offset, snapshotStamp: connection.snapshotStamp, exact: true };
  const exact = new ResultRows(prepareReading(connection, sql), again, sink);
  exact.addAll(iterateExactly(connection, sql, params), offset);
  return exact.end();
}
