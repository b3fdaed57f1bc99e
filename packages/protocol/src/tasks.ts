export { fileStore } from './extensions/tasks/file-store.ts';
export { createTasks, type TaskOptions } from './extensions/tasks/create-tasks.ts';
export { memoryStore } from './extensions/tasks/memory-store.ts';
export type { TaskLimits } from './extensions/tasks/task-limits.ts';
export type { TaskStore } from './extensions/tasks/task-store.ts';
