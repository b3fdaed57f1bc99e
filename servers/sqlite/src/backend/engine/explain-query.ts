import type { Handle } from './connection.ts';
import { refuseUnlessExplained } from '../sql/statement-guard.ts';
import { boundParameters, type Parameters } from '../sql/bind-parameters.ts';
import { all } from './schema.ts';

export interface PlanStep {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

/** How SQLite would run a statement, without running it. */
export function explainQuery(
  handle: Handle,
  { sql, params }: { readonly sql: string; readonly params?: Parameters | undefined },
): readonly PlanStep[] {
  refuseUnlessExplained(sql);
  handle.refresh();
  const steps = all<PlanStep & { notused: number }>(
    handle,
    `EXPLAIN QUERY PLAN ${sql}`,
    ...boundParameters(sql, params),
  );
  return steps.map(({ id, parent, detail }) => ({ id, parent, detail }));
}
