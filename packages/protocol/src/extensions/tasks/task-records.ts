import { internalError } from '../../jsonrpc/error.ts';
import { changed, type DetailedTask, isOver } from './task.ts';
import type { TaskAccess } from './task-access.ts';
import type { TaskStore } from './task-store.ts';
import { Worker, type WorkerSigns } from './worker.ts';

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
  /**
   * With `shared`: the tasks of a process that gives no sign of life for this long fail. The same in all
   * processes. Default: 30,000.
   */
  readonly leaseMs: number;
}

const defaults: TaskLimits = {
  ttlMs: 60 * 60_000,
  pollIntervalMs: 1_000,
  maxTasks: 1_000,
  maxTaskLength: 4 * 1024 * 1024,
  leaseMs: 30_000,
};

export const maxTtlMs = 30 * 24 * 60 * 60_000;

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
  readonly worker: WorkerSigns;
  readonly #store: TaskStore;
  readonly #limits: Pick<TaskLimits, 'maxTasks' | 'maxTaskLength'>;
  #adding: Promise<unknown> = Promise.resolve();
  /** The texts that may be stored of each task of this process: of several, it is not known which one is. */
  readonly #texts = new Map<string, readonly string[]>();

  constructor(
    store: TaskStore,
    limits: Pick<TaskLimits, 'maxTasks' | 'maxTaskLength'>,
    worker: WorkerSigns = new Worker(store),
  ) {
    this.#store = store;
    this.#limits = limits;
    this.worker = worker;
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
    return abandoned ? this.#fail(record, text) : record;
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
    await this.#replace(record.task.taskId, text);
  }

  /** Stores a task of this process, unless another process has ended it. */
  async #replace(id: string, text: string): Promise<void> {
    const store = this.#store;
    if (!store.replace) return store.set(id, text);
    const known = this.#texts.get(id);
    this.#texts.set(id, [...(known ?? []), text]);
    if (known) {
      const old = known.length === 1 ? known[0]! : await store.get(id);
      if (old === undefined || !known.includes(old) || !(await store.replace(id, old, text)))
        throw new Error('Another process has ended this task');
    } else await store.set(id, text);
    this.#texts.set(id, [text]);
  }

  /** Called when a task of this process is over. */
  forget(id: string): void {
    this.#texts.delete(id);
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

  async #fail(record: TaskRecord, text: string): Promise<TaskRecord> {
    const message = 'The process that worked on this task has ended';
    const error = { code: internalError, message };
    const failed = {
      ...record,
      task: changed(record.task, { status: 'failed', statusMessage: message, error }),
    };
    const { taskId } = record.task;
    const store = this.#store;
    if (!store.replace) await store.set(taskId, JSON.stringify(failed));
    // Another process was faster.
    else if (!(await store.replace(taskId, text, JSON.stringify(failed)))) return (await this.get(taskId))!;
    return failed;
  }
}
