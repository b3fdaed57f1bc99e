import { messageOf, unref } from '@mcp/kit';
import type { InputResponse } from '../../define/input/input.ts';
import type { Tool } from '../../define/tool.ts';
import { internalError, invalidParams, RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { legalError } from '../../revisions/codes.ts';
import type { ActiveCall } from '../../server/call/active-call.ts';
import { isInputResponse } from '../../server/features/client-questions.ts';
import { objectParam, stringParam } from '../../server/call/params.ts';
import { rpcError } from '../../server/connection/request-errors.ts';
import { complete, type Result } from '../../server/call/result.ts';
import type { Runtime } from '../../server/runtime.ts';
import type { TaskService, Work } from '../../server/call/task-service.ts';
import { requireTasks } from '../../server/features/tasks.ts';
import { type DetailedTask, isOver, Task } from './task.ts';
import { TaskCall } from './task-call.ts';
import { expiryIn, makeTaskId, type TaskLimits, type TaskRecords } from './task-records.ts';

/** The interval, in milliseconds, at which this process writes its heartbeat and deletes expired tasks. */
const upkeepMs = 10_000;
/** The maximum number of tasks in one `subscriptions/listen` request. */
const maxWatched = 10_000;

/** The tasks of one server: tasks that run in this process, and tasks in the store. */
export class Tasks implements TaskService {
  readonly #runtime: Runtime;
  readonly #records: TaskRecords;
  readonly #limits: TaskLimits;
  /** The tasks that run in this process, by id. */
  readonly #running = new Map<string, Task>();
  #upkeep: NodeJS.Timeout | undefined;

  constructor(runtime: Runtime, records: TaskRecords, limits: TaskLimits) {
    this.#runtime = runtime;
    this.#records = records;
    this.#limits = limits;
  }

  run(request: ActiveCall, tool: Tool<object>, work: Work): Promise<Result> {
    return new Promise((answer, refuse) => {
      const call = new TaskCall(request, async (message) => {
        const task = await this.#begin(request, tool, message, (reason) => call.cancel(reason));
        if (task) answer({ type: 'task', members: task.detail });
        return task;
      });
      // If the call became a task, the task was the answer already, so this second `answer` does nothing.
      this.#work(call, work).then(answer, refuse);
    });
  }

  async #work(call: TaskCall, work: Work): Promise<Result> {
    try {
      const result = await work(call);
      const task = await call.settled();
      if (task) await this.#finish(task, () => task.complete(this.#encode(call, result)));
      return result;
    } catch (error) {
      const task = await call.settled();
      if (task) await this.#finish(task, () => task.fail(legalError(call.revision, rpcError(error))));
      throw error;
    }
  }

  async #begin(
    request: ActiveCall,
    tool: Tool<object>,
    message: string | undefined,
    abort: (reason: Error) => void,
  ): Promise<Task | undefined> {
    const { ttlMs, pollIntervalMs } = this.#limits;
    const { principal } = request.peer;
    const now = Date.now();
    const at = new Date(now).toISOString();
    const detail: DetailedTask = {
      taskId: makeTaskId(now + ttlMs),
      status: 'working',
      ...(message !== undefined && { statusMessage: message }),
      createdAt: at,
      lastUpdatedAt: at,
      ttlMs,
      pollIntervalMs,
    };
    const task = new Task(detail, principal, (changed) => this.#save(changed, principal), abort);
    this.#running.set(detail.taskId, task);
    this.#keepUp();
    const kept = await this.#add(detail, principal);
    if (kept && request.open) return task;
    this.#running.delete(detail.taskId);
    if (kept) {
      // The request was cancelled, so no client knows the id: the task is deleted.
      await this.#records.delete(detail.taskId);
      throw new Error('The client has cancelled the request');
    }
    if (tool.definition.task === 'optional') return undefined;
    throw new RpcError(
      internalError,
      `The server runs ${this.#limits.maxTasks} tasks already; try again later`,
    );
  }

  /** Stores a new task; resolves with false if the maximum number of tasks is reached. */
  async #add(detail: DetailedTask, principal: string | undefined): Promise<boolean> {
    try {
      return await this.#records.add(this.#record(detail, principal));
    } catch (error) {
      this.#running.delete(detail.taskId);
      throw new RpcError(internalError, `Cannot store the task: ${messageOf(error)}`, undefined, {
        cause: error,
      });
    }
  }

  async #finish(task: Task, end: () => Promise<void>): Promise<void> {
    await end();
    // A task whose end could not be stored stays in the memory of this process until it expires.
    if (task.stored) this.#running.delete(task.detail.taskId);
  }

  async get(call: ActiveCall, params: JsonObject): Promise<Result> {
    return complete((await this.#find(call, params)).detail);
  }

  async update(call: ActiveCall, params: JsonObject): Promise<Result> {
    const responses = objectParam(params, 'inputResponses');
    const { detail, task } = await this.#find(call, params);
    if (task) task.answer(readable(task, responses));
    else if (!isOver(detail)) throw elsewhere();
    return complete({});
  }

  async cancel(call: ActiveCall, params: JsonObject): Promise<Result> {
    const { detail, task } = await this.#find(call, params);
    if (task) await this.#finish(task, () => task.cancel());
    else if (!isOver(detail)) throw elsewhere();
    return complete({});
  }

  async watch(call: ActiveCall, taskIds: unknown, changed: (task: JsonObject) => void) {
    requireTasks(call);
    const stops: (() => void)[] = [];
    const watchable: string[] = [];
    const stop = () => stops.forEach((each) => each());
    try {
      for (const id of idList(taskIds)) {
        const found = await this.#look(call, id);
        if (!found || !(found.task || isOver(found.detail))) continue;
        watchable.push(id);
        if (found.task) stops.push(found.task.watch(changed));
        // The task may have changed since the client's last request, so the client gets its state now.
        changed(found.detail);
      }
    } catch (error) {
      stop();
      throw error;
    }
    return { watchable, stop };
  }

  async #find(call: ActiveCall, params: JsonObject): Promise<Found> {
    requireTasks(call);
    const found = await this.#look(call, stringParam(params, 'taskId'));
    if (found) return found;
    throw new RpcError(invalidParams, 'Unknown or expired "taskId"');
  }

  /** The task with this id; undefined if it does not exist or belongs to another principal. */
  async #look({ peer }: ActiveCall, id: string): Promise<Found | undefined> {
    const expires = expiryIn(id);
    if (expires === undefined || expires <= Date.now()) return undefined;
    const task = this.#running.get(id);
    if (task) return task.principal === peer.principal ? { detail: task.detail, task } : undefined;
    const record = await this.#records.get(id);
    if (!record || record.principal !== peer.principal) return undefined;
    return { detail: record.task, task: undefined };
  }

  #record(task: DetailedTask, principal: string | undefined) {
    return { worker: this.#records.worker.id, task, ...(principal !== undefined && { principal }) };
  }

  async #save(task: DetailedTask, principal: string | undefined): Promise<void> {
    await this.#records.save(this.#record(task, principal));
  }

  /** Returns the result in the form in which the call would have returned it without a task. */
  #encode({ revision }: ActiveCall, result: Result): JsonObject {
    return JSON.parse(this.#runtime.results.encode(revision, result)) as JsonObject;
  }

  #keepUp(): void {
    if (this.#upkeep) return;
    this.#upkeep = unref(setTimeout(() => void this.#tidy(), Math.min(upkeepMs, this.#limits.ttlMs)));
  }

  async #tidy(): Promise<void> {
    const now = Date.now();
    for (const [id, task] of this.#running) {
      if (expiryIn(id)! > now) continue;
      this.#running.delete(id);
      task.stop(new Error('The task has expired'));
    }
    try {
      if (this.#running.size > 0) await this.#records.worker.beat();
      else await this.#records.worker.rest();
      const left = await this.#records.sweep();
      this.#upkeep = undefined;
      if (left > 0 || this.#running.size > 0) this.#keepUp();
    } catch {
      // The error is ignored, because the store may work again at the next interval.
      this.#upkeep = undefined;
      this.#keepUp();
    }
  }
}

/** A task that was found, with its current or stored state; `task` is given if it runs in this process. */
type Found = { readonly detail: DetailedTask; readonly task: Task | undefined };

/** Returns the answers to pending input requests, without other answers. Throws for a malformed answer. */
function readable(task: Task, responses: JsonObject): { [key: string]: InputResponse } {
  const readable: { [key: string]: InputResponse } = {};
  for (const [key, response] of Object.entries(responses)) {
    if (!task.waitsFor(key)) continue;
    if (!isInputResponse(response)) {
      throw new RpcError(
        invalidParams,
        `Invalid "inputResponses.${key}"; expected the result of its input request`,
      );
    }
    readable[key] = response;
  }
  return readable;
}

function idList(value: unknown): ReadonlySet<string> {
  if (!Array.isArray(value) || !value.every((id) => typeof id === 'string')) {
    throw new RpcError(invalidParams, '"notifications.taskIds" must be a list of task ids');
  }
  if (value.length > maxWatched) {
    throw new RpcError(invalidParams, `At most ${maxWatched} tasks can be listened to in one request`);
  }
  return new Set<string>(value);
}

function elsewhere(): RpcError {
  return new RpcError(
    internalError,
    'Another process runs this task; route its requests to that process by the header Mcp-Name, which has the task id',
  );
}
