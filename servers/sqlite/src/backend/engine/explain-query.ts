import { boundParameters, type SqlParameters } from '../sql/bind-parameters.ts';
import { assertExplainable } from '../sql/statement-guard.ts';
import type { Connection } from './connection.ts';
import { queryAll } from './schema.ts';

export interface PlanStep {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

/** The query plan of a statement, which is not run. */
export function explainQuery(
  connection: Connection,
  { sql, params }: { readonly sql: string; readonly params?: SqlParameters | undefined },
): readonly PlanStep[] {
  assertExplainable(sql);
  connection.refresh();
  const steps = queryAll<PlanStep & { notused: number }>(
    connection,
    `EXPLAIN QUERY PLAN ${sql}`,
    ...boundParameters(sql, params),
  );
  return steps.map(({ id, parent, detail }) => ({ id, parent, detail }));
}
