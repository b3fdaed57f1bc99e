export { tasksExtension } from './revisions/tasks-extension.ts';
export { createTasks, type TaskOptions } from './extensions/tasks/create-tasks.ts';
export type { TaskLimits } from './extensions/tasks/task-records.ts';
export { fileTaskStore, memoryTaskStore, type TaskStore } from './extensions/tasks/task-store.ts';
