/** A line of a query plan; `parent` is 0 at the top. */
export interface PlanStep {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}
