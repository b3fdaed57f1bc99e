import type { TaskManager } from '../../define/task-manager.ts';
import type { Runtime } from '../../server/runtime.ts';
import { memoryStore } from './memory-store.ts';
import { checkedLimits, type TaskLimits } from './task-limits.ts';
import { TaskRecords } from './task-records.ts';
import type { TaskStore } from './task-store.ts';
import { Tasks } from './tasks.ts';

export interface TaskOptions extends Partial<TaskLimits> {
  /** Where tasks are kept; default: in the memory of this process. */
  readonly store?: TaskStore;
}

/**
 * Lets the tools of a server run as tasks: `defineServer({ tasks: createTasks(), … })`.
 * @see https://modelcontextprotocol.io/seps/2663-tasks-extension
 */
export function createTasks({ store = memoryStore(), ...given }: TaskOptions = {}): TaskManager {
  const limits = checkedLimits(given);
  return { createFor: (runtime: Runtime) => new Tasks(runtime, new TaskRecords(store, limits), limits) };
}
