import { internalError } from '../../jsonrpc/error.ts';
import { changed, type DetailedTask, isOver } from './detailed-task.ts';
import type { TaskLimits } from './task-limits.ts';
import type { TaskStore } from './task-store.ts';
import { Worker } from './worker.ts';

/** A task as it is stored: with who may see it, and who works on it. */
export type TaskRecord = {
  readonly principal?: string;
  readonly worker: string;
  readonly task: DetailedTask;
};

// An id tells when its task's time is over, so that nothing has to be read to throw it away. What follows
// cannot be guessed: without authorization, it is all that protects a task.
const idForm = /^([0-9a-z]{6,11})-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function makeTaskId(expires: number): string {
  return `${expires.toString(36)}-${crypto.randomUUID()}`;
}

/** When the time of the task with this id is over; undefined for what is no id. */
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

  /** Keeps a new task; false where there is no room for one. */
  add(record: TaskRecord): Promise<boolean> {
    // One after the other: each counts the ones before it.
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
    // Work that goes on after its time must not bring the task back.
    if (expiryIn(record.task.taskId)! <= Date.now()) return;
    const text = JSON.stringify(record);
    const { maxTaskLength } = this.#limits;
    if (text.length > maxTaskLength) throw new Error(`A task may take ${maxTaskLength} characters`);
    await this.#store.set(record.task.taskId, text);
  }

  async delete(id: string): Promise<void> {
    await this.#store.delete(id);
  }

  /** Throws away what is over; gives how many tasks are left. */
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
