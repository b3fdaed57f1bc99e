/** The limits of tasks. Times are in milliseconds. */
export interface TaskLimits {
  /** How long a task and its result are kept, from its start. Default: an hour; maximum: 30 days. */
  readonly ttlMs: number;
  /** The interval at which clients should poll. Default: a second. */
  readonly pollIntervalMs: number;
  /** Maximum number of tasks, finished ones included. Default: 1,000. */
  readonly maxTasks: number;
  /** Characters of one task with its result. Default: 4 Mi. */
  readonly maxTaskLength: number;
}

const usual: TaskLimits = {
  ttlMs: 60 * 60_000,
  pollIntervalMs: 1_000,
  maxTasks: 1_000,
  maxTaskLength: 4 * 1024 * 1024,
};

const maxTtlMs = 30 * 24 * 60 * 60_000;

export function checkedLimits(given: Partial<TaskLimits>): TaskLimits {
  const limits = { ...usual, ...given };
  for (const name of Object.keys(usual) as (keyof TaskLimits)[]) {
    if (Number.isSafeInteger(limits[name]) && limits[name] > 0) continue;
    throw new Error(`"${name}" must be a whole number above 0, not ${limits[name]}`);
  }
  if (limits.ttlMs > maxTtlMs) throw new Error(`"ttlMs" must be at most ${maxTtlMs}, not ${limits.ttlMs}`);
  return limits;
}
