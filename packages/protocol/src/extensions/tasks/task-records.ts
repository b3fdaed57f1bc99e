import { internalError } from '../../jsonrpc/error.ts';
import { changed, type DetailedTask, isOver } from './detailed-task.ts';
import type { TaskLimits } from './task-limits.ts';
import type { TaskStore } from './task-store.ts';
import { Worker } from './worker.ts';

/** A task as it is stored: with its owner and the process that works on it. */
export type TaskRecord = {
  readonly principal?: string;
  readonly worker: string;
  readonly task: DetailedTask;
};

// An id begins with the task's expiry time, so that expired tasks are deleted without being read. The rest is
// random and cannot be guessed: without authorization, it alone protects the task.
const idForm = /^([0-9a-z]{6,11})-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function makeTaskId(expires: number): string {
  return `${expires.toString(36)}-${crypto.randomUUID()}`;
}

/** The expiry time of the task with this id; undefined for an invalid id. */
export function expiryIn(id: string): number | undefined {
  const [, expires] = idForm.exec(id) ?? [];
  return expires === undefined ? undefined : Number.parseInt(expires, 36);
}

/** The tasks in a store, without expired ones; a task whose process has ended is failed. */
export class TaskRecords {
  readonly worker: Worker;
  readonly #store: TaskStore;
  readonly #limits: Pick<TaskLimits, 'maxTasks' | 'maxTaskLength'>;
  #adding: Promise<unknown> = Promise.resolve();

  constructor(store: TaskStore, limits: Pick<TaskLimits, 'maxTasks' | 'maxTaskLength'>) {
    this.#store = store;
    this.#limits = limits;
    this.worker = new Worker(store);
  }

  /** Stores a new task; false where the store is full. */
  add(record: TaskRecord): Promise<boolean> {
    // In sequence: each call counts the tasks before it.
    const added = this.#adding.then(async () => {
      if ((await this.sweep()) >= this.#limits.maxTasks) return false;
      await this.worker.begin();
      await this.save(record);
      return true;
    });
    this.#adding = added.catch(() => undefined);
    return added;
  }

  async get(id: string): Promise<TaskRecord | undefined> {
    const expires = expiryIn(id);
    if (expires === undefined || expires <= Date.now()) return undefined;
    const text = await this.#store.get(id);
    if (text === undefined) return undefined;
    const record = JSON.parse(text) as TaskRecord;
    const abandoned = !isOver(record.task) && !(await this.worker.isThere(record.worker));
    return abandoned ? this.#fail(record) : record;
  }

  async save(record: TaskRecord): Promise<void> {
    // A handler that runs past the expiry must not restore its task.
    if (expiryIn(record.task.taskId)! <= Date.now()) return;
    const text = JSON.stringify(record);
    const { maxTaskLength } = this.#limits;
    if (text.length > maxTaskLength)
      throw new Error(`The task has ${text.length} characters; the maximum is ${maxTaskLength}`);
    await this.#store.set(record.task.taskId, text);
  }

  async delete(id: string): Promise<void> {
    await this.#store.delete(id);
  }

  /** Deletes expired tasks; returns the number of the remaining ones. */
  async sweep(): Promise<number> {
    const keys = await this.#store.keys();
    const now = Date.now();
    let left = 0;
    for (const key of keys) {
      const expires = expiryIn(key);
      if (expires === undefined) continue;
      if (expires > now) left++;
      else await this.#store.delete(key);
    }
    await this.worker.forgetEnded(keys);
    return left;
  }

  async #fail(record: TaskRecord): Promise<TaskRecord> {
    const message = 'The process that worked on this task has ended';
    const error = { code: internalError, message };
    const failed = {
      ...record,
      task: changed(record.task, { status: 'failed', statusMessage: message, error }),
    };
    await this.save(failed);
    return failed;
  }
}
