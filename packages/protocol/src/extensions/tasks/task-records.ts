import { internalError } from '../../jsonrpc/error.ts';
import { changed, type DetailedTask, isOver } from './task.ts';
import type { TaskAccess } from './task-access.ts';
import type { TaskStore } from './task-store.ts';
import { Worker } from './worker.ts';

/** The limits of tasks. Times are in milliseconds. */
export interface TaskLimits {
  /** How long a task and its result are kept, from its start. Default: an hour; maximum: 30 days. */
  readonly ttlMs: number;
  /** The interval at which clients should poll. Default: a second. */
  readonly pollIntervalMs: number;
  /** Maximum number of tasks, finished ones included. Default: 1,000. */
  readonly maxTasks: number;
  /** Maximum number of characters of one task with its result, as JSON. Default: 4 Mi. */
  readonly maxTaskLength: number;
}

const defaults: TaskLimits = {
  ttlMs: 60 * 60_000,
  pollIntervalMs: 1_000,
  maxTasks: 1_000,
  maxTaskLength: 4 * 1024 * 1024,
};

const maxTtlMs = 30 * 24 * 60 * 60_000;

export function checkedLimits(given: Partial<TaskLimits>): TaskLimits {
  const limits = { ...defaults, ...given };
  for (const name of Object.keys(defaults) as (keyof TaskLimits)[]) {
    if (Number.isSafeInteger(limits[name]) && limits[name] > 0) continue;
    throw new Error(`"${name}" must be a whole number above 0, not ${limits[name]}`);
  }
  if (limits.ttlMs > maxTtlMs) throw new Error(`"ttlMs" must be at most ${maxTtlMs}, not ${limits.ttlMs}`);
  return limits;
}

/** A task as it is stored: with who has access to it, and the process that works on it. */
export type TaskRecord = TaskAccess & {
  readonly worker: string;
  readonly task: DetailedTask;
};

// An id begins with the task's expiry time, so that expired tasks are deleted without being read. The random
// rest cannot be guessed: without authorization, only this protects the task.
const idForm = /^([0-9a-z]{6,11})-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function makeTaskId(expires: number): string {
  return `${expires.toString(36)}-${crypto.randomUUID()}`;
}

/** The expiry time of the task with this id; undefined for an invalid id. */
export function expiryIn(id: string): number | undefined {
  const [, expires] = idForm.exec(id) ?? [];
  return expires === undefined ? undefined : Number.parseInt(expires, 36);
}

/** The tasks in a store that have not expired. A task whose process has ended is read as `failed`. */
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

  /** Stores a new task; resolves with false if the store already has `maxTasks` tasks. */
  add(record: TaskRecord): Promise<boolean> {
    // Calls of `add` run one after the other, so that each counts the tasks that earlier ones added.
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
    // A handler that still runs when its task has expired must not store the task again.
    if (expiryIn(record.task.taskId)! <= Date.now()) return;
    const text = JSON.stringify(record);
    const { maxTaskLength } = this.#limits;
    if (text.length > maxTaskLength)
      throw new Error(
        `The task with its result has ${text.length} characters; the maximum is ${maxTaskLength}`,
      );
    await this.#store.set(record.task.taskId, text);
  }

  async delete(id: string): Promise<void> {
    await this.#store.delete(id);
  }

  /** Deletes expired tasks; returns the number of the remaining tasks. */
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
