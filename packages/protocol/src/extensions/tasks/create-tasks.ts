import type { TaskKeeper } from '../../define/task-keeper.ts';
import type { Runtime } from '../../server/runtime.ts';
import { memoryStore } from './memory-store.ts';
import { checkedLimits, type TaskLimits } from './task-limits.ts';
import { TaskRecords } from './task-records.ts';
import type { TaskStore } from './task-store.ts';
import { Tasks } from './tasks.ts';

export interface TaskOptions extends Partial<TaskLimits> {
  /** Where tasks are kept; in this process's memory unless said otherwise. */
  readonly store?: TaskStore;
}

/**
 * Keeps tasks for a server: `defineServer({ tasks: keepTasks(), … })`.
 * @see https://modelcontextprotocol.io/seps/2663-tasks-extension
 */
export function keepTasks({ store = memoryStore(), ...given }: TaskOptions = {}): TaskKeeper {
  const limits = checkedLimits(given);
  return { keepFor: (runtime: Runtime) => new Tasks(runtime, new TaskRecords(store, limits), limits) };
}
