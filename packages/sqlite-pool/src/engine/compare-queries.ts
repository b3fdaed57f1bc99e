import { Refused } from '../errors.ts';
import { boundParameters, withRawText } from '../sql/bind-parameters.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { assertReading } from '../sql/statement-guard.ts';
import { bareStatement } from '../sql/tokenizer.ts';
import { uniqueNames } from '../values/result-text.ts';
import type { Connection } from './connection.ts';
import { allCells, prepareReading } from './prepare-reading.ts';
import type { ComparisonCounts, Query } from './result-rows.ts';

/**
 * Returns a query that compares the rows of two queries and ignores their order. The result has each row
 * that one query returns more often than the other, and how many times. Values are compared as in SQLite: 1
 * equals 1.0. Throws for different numbers of columns.
 */
export function compareQueries(connection: Connection, query: Query, compare: string): Query {
  assertReading(compare);
  const columns = prepareReading(connection, query.sql).columns();
  const others = prepareReading(connection, compare).columns();
  if (columns.length !== others.length) {
    throw new Refused(
      `sql has ${columns.length} columns, and compare has ${others.length}; select the same columns in both`,
    );
  }
  const cells = columns.map((_, index) => `c${index}`);
  const order = cells.map((cell) => `${cell} COLLATE BINARY`).join(', ');
  const list = cells.join(', ');
  const differing = `
WITH "sql"(${list}) AS MATERIALIZED (\n${bareStatement(query.sql)}\n),
"compare"(${list}) AS MATERIALIZED (\n${bareStatement(compare)}\n),
differing AS MATERIALIZED (
  SELECT sum(side) AS n, ${list} FROM (SELECT 1 AS side, * FROM "sql" UNION ALL SELECT -1, * FROM "compare")
  GROUP BY ${order} HAVING sum(side) <> 0
)`;
  const names = uniqueNames(['only_in', 'times', ...columns.map(({ name }) => name)]).slice(2);
  const named = cells.map((cell, index) => `${cell} AS ${quoteIdentifier(names[index]!)}`).join(', ');
  const counts = count(
    connection,
    query,
    `${differing} SELECT (SELECT count(*) FROM "sql"), (SELECT count(*) FROM "compare"),
      (SELECT coalesce(sum(n), 0) FROM differing WHERE n > 0), (SELECT coalesce(-sum(n), 0) FROM differing WHERE n < 0)`,
  );
  return {
    ...query,
    sql: `${differing} SELECT iif(n > 0, 'sql', 'compare') AS only_in, abs(n) AS times, ${named} FROM differing ORDER BY ${order}, n < 0`,
    comparison: counts,
  };
}

function count(connection: Connection, { params }: Query, sql: string): ComparisonCounts {
  const statement = connection.prepare(withRawText(sql, params));
  const [row] = allCells(statement, boundParameters(sql, params));
  const [inSql = 0, inCompare = 0, onlySql = 0, onlyCompare = 0] = row!.map(Number);
  return { sql: inSql, compare: inCompare, onlySql, onlyCompare };
}
