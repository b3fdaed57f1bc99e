import type { TaskManager } from '../../define/task-manager.ts';
import type { Runtime } from '../../server/runtime.ts';
import type { SharedStore } from '../../state/shared-store.ts';
import { LeasedWorker } from './leased-worker.ts';
import { OtherWorkers } from './other-workers.ts';
import { checkedLimits, maxTtlMs, type TaskLimits, TaskRecords } from './task-records.ts';
import { memoryTaskStore, type TaskStore } from './task-store.ts';
import { Tasks } from './tasks.ts';

/** Options of `createTasks`. */
export interface TaskOptions extends Partial<TaskLimits> {
  /** The store that keeps the tasks. Default: the memory of this process. */
  readonly store?: TaskStore;
  /**
   * What several processes share: `connectRedis()` of `@mcp/redis`. It keeps the tasks, and each process
   * answers, updates and cancels all of them. Default: a process updates and cancels its own tasks.
   */
  readonly shared?: SharedStore;
}

/**
 * Lets the tools of a server run as tasks: `defineServer({ tasks: createTasks(), … })`.
 * @see https://modelcontextprotocol.io/seps/2663-tasks-extension
 * @example
 * ```ts
 * import { defineServer, defineTool } from '@mcp/protocol';
 * import { createTasks } from '@mcp/protocol/tasks';
 *
 * const report = defineTool({
 *   name: 'report',
 *   description: 'Makes the report of the year.',
 *   task: 'optional',
 *   async run(_, { asTask, progress }) {
 *     await asTask('Reading the records');
 *     for (let month = 1; month <= 12; month++) progress(month, 12);
 *     return 'A good year';
 *   },
 * });
 * defineServer({ name: 'reports', version: '1.0.0', tools: [report], tasks: createTasks() });
 * ```
 */
export function createTasks({ store, shared, ...given }: TaskOptions = {}): TaskManager {
  const limits = checkedLimits(given);
  if (!shared) {
    const kept = store ?? memoryTaskStore();
    return { createFor: (runtime: Runtime) => new Tasks(runtime, new TaskRecords(kept, limits), limits) };
  }
  if (store) throw new Error('`createTasks` takes `store` or `shared`, not both');
  const table = shared.table('tasks', maxTtlMs);
  return {
    createFor(runtime: Runtime) {
      const worker = new LeasedWorker(shared.leases, limits.leaseMs);
      const others = new OtherWorkers(shared, limits.leaseMs);
      return new Tasks(runtime, new TaskRecords(table, limits, worker), limits, others);
    },
  };
}
