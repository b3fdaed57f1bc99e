import type { PieceSink } from '../piece-sink.ts';
import { boundParameters, withRawText } from '../sql/bind-parameters.ts';
import { assertReading } from '../sql/statement-guard.ts';
import { offsetOf } from '../values/page-cursor.ts';
import { compareQueries } from './compare-queries.ts';
import type { Connection } from './connection.ts';
import { allCells, iterateCells, iterateExactly, prepareReading } from './prepare-reading.ts';
import { withFileTables } from './file-tables.ts';
import { refineQuery } from './refine-query.ts';
import { factsOf, identityOf, type Query, ResultRows } from './result-rows.ts';

/** If a query's limit is greater, its rows are read in one array, which is much faster than one by one. */
const maxStepwiseRows = 1_000;

/** Writes the result's JSON in pieces to `sink`, and returns the result's text. */
export function runQuery(connection: Connection, query: Query, sink: PieceSink): string {
  assertReading(query.sql);
  connection.refresh();
  const identity = identityOf(query);
  const { cursor, skip = 0, compare, refinement } = query;
  const begin =
    cursor === undefined ? 0 : offsetOf(cursor, { query: identity, stamp: connection.latestStamp });
  return withFileTables(connection, query.files, () => {
    const compared = compare === undefined ? query : compareQueries(connection, query, compare);
    const refined = refinement ? refineQuery(connection, compared, refinement) : compared;
    return read(connection, { ...refined, identity }, begin + skip, sink);
  });
}

function read(connection: Connection, query: Query, offset: number, sink: PieceSink): string {
  const sql = withRawText(query.sql, query.params);
  const statement = prepareReading(connection, sql);
  const { snapshotStamp } = connection;
  const rows = new ResultRows(statement, { query, offset, snapshotStamp }, sink);
  const params = boundParameters(sql, query.params);
  // Only an answer in JSON can have more rows than `maxStepwiseRows`, because the length of text is limited.
  const isLarge = query.format === 'json' && query.limit > maxStepwiseRows;
  const { bare, maxRows } = factsOf(statement);
  const page = () =>
    connection.prepare(`SELECT * FROM (\n${bare}\n) LIMIT ${query.limit + 1} OFFSET ${offset}`);
  if (isLarge && query.stepwise !== true) {
    const all = allCells(offset === 0 && maxRows <= query.limit ? statement : page(), params);
    // Encoding many rows takes a while. The snapshot ends before that, so that others can write meanwhile.
    if (all.length > maxStepwiseRows) connection.endSnapshot();
    rows.addAll(all);
  } else if (query.format === 'json' && offset > maxStepwiseRows) {
    rows.addAll(iterateCells(page(), params));
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
