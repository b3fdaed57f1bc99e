import { boundParameters, type SqlParameters } from '../sql/bind-parameters.ts';
import { assertExplainable } from '../sql/statement-guard.ts';
import { adviseIndexes, type IndexAdvice } from './advise-indexes.ts';
import type { PlanStep } from './plan-step.ts';
import type { Connection } from './connection.ts';
import { queryAll } from './schema/query-all.ts';

export interface Explanation {
  readonly plan: readonly PlanStep[];
  /** Missing if the plan reads by keys alone, or no index that helps was found. */
  readonly advice?: IndexAdvice;
}

/** The query plan of a statement, which is not run, and the indexes that would help. */
export function explainQuery(
  connection: Connection,
  { sql, params }: { readonly sql: string; readonly params?: SqlParameters | undefined },
): Explanation {
  assertExplainable(sql);
  const database = connection.refresh();
  const bound = boundParameters(sql, params);
  const steps = queryAll<PlanStep & { notused: number }>(connection, `EXPLAIN QUERY PLAN ${sql}`, ...bound);
  const plan = steps.map(({ id, parent, detail }) => ({ id, parent, detail }));
  const isCheap = !plan.some(({ detail }) =>
    /^SCAN | AUTOMATIC |^USE TEMP B-TREE|^SEARCH .* INDEX /.test(detail),
  );
  const advice = isCheap ? undefined : adviseIndexes(database, sql, bound);
  return { plan, ...(advice && { advice }) };
}
