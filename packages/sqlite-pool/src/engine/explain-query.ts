import { boundParameters, type SqlParameters } from '../sql/bind-parameters.ts';
import { assertExplainable } from '../sql/statement-guard.ts';
import { adviseIndexes, type IndexAdvice, planOf, type PlanStep } from './advise-indexes.ts';
import type Database from 'better-sqlite3';
import { type FileTable, withFileTables } from './file-tables.ts';
import type { Connection } from './connection.ts';

export interface Explanation {
  readonly plan: readonly PlanStep[];
  /** Missing if the plan only searches by primary keys, or if no index would help. */
  readonly advice?: IndexAdvice;
}

/** Returns the query plan of a statement without running it, and the indexes that would help. */
export function explainQuery(
  connection: Connection,
  {
    sql,
    params,
    files,
  }: {
    readonly sql: string;
    readonly params?: SqlParameters | undefined;
    readonly files?: readonly FileTable[] | undefined;
  },
): Explanation {
  assertExplainable(sql);
  const database = connection.refresh();
  return withFileTables(connection, files, () => explain(database, sql, params));
}

function explain(database: Database.Database, sql: string, params: SqlParameters | undefined): Explanation {
  const bound = boundParameters(sql, params);
  const plan = planOf(database, sql, bound);
  const isCheap = !plan.some(({ detail }) =>
    /^SCAN | AUTOMATIC |^USE TEMP B-TREE|^SEARCH .* INDEX /.test(detail),
  );
  const advice = isCheap ? undefined : adviseIndexes(database, sql, bound);
  return { plan, ...(advice && { advice }) };
}
