import { backOff, messageOf, unref } from '@mcp/kit';
import type { InputResponse } from '../../define/input/input.ts';
import type { Tool } from '../../define/tool.ts';
import { internalError, invalidParams, RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { legalError } from '../../revisions/codes.ts';
import { lackingScopes, refuseLackingScopes } from '../../server/access.ts';
import type { ActiveCall } from '../../server/call/active-call.ts';
import { isInputResponse } from '../../server/features/client-questions.ts';
import { objectParam, stringParam } from '../../server/call/params.ts';
import { rpcError } from '../../server/connection/request-errors.ts';
import { isStoreUnavailable } from '../../state/shared-store.ts';
import { complete, type Result } from '../../server/call/result.ts';
import type { Runtime } from '../../server/runtime.ts';
import type { TaskService, Work } from '../../server/call/task-service.ts';
import { requireTasks } from '../../server/features/tasks.ts';
import { type DetailedTask, isOver, Task } from './task.ts';
import type { OtherWorkers, TaskCommand } from './other-workers.ts';
import { accessOf, type TaskAccess } from './task-access.ts';
import { TaskCall } from './task-call.ts';
import { expiryIn, makeTaskId, type TaskLimits, type TaskRecords } from './task-records.ts';

/** The interval, in milliseconds, at which this process writes its heartbeat and deletes expired tasks. */
const upkeepMs = 10_000;
/** A change of a task is stored again for this long while the store cannot be used. */
const giveUpMs = 60_000;
const retries = { minMs: 50, maxMs: 2_000 };
/** The maximum number of tasks in one `subscriptions/listen` request. */
const maxWatched = 10_000;

/** The tasks of one server: tasks that run in this process, and tasks in the store. */
export class Tasks implements TaskService {
  readonly #runtime: Runtime;
  readonly #records: TaskRecords;
  readonly #limits: TaskLimits;
  readonly #others: OtherWorkers | undefined;
  /** The tasks that run in this process, by id. */
  readonly #running = new Map<string, Task>();
  #upkeep: NodeJS.Timeout | undefined;

  constructor(runtime: Runtime, records: TaskRecords, limits: TaskLimits, others?: OtherWorkers) {
    this.#runtime = runtime;
    this.#records = records;
    this.#limits = limits;
    this.#others = others;
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
    const access = accessOf(request, tool);
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
    const task = new Task(detail, access, (changed) => this.#save(changed, access), abort);
    this.#running.set(detail.taskId, task);
    this.#keepUp();
    const kept = await this.#add(detail, access);
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
  async #add(detail: DetailedTask, access: TaskAccess): Promise<boolean> {
    try {
      await this.#others?.open(this.#records.worker.id, (command) => this.#take(command));
      return await this.#records.add(this.#record(detail, access));
    } catch (error) {
      this.#running.delete(detail.taskId);
      if (isStoreUnavailable(error)) throw error;
      throw new RpcError(internalError, `Cannot store the task: ${messageOf(error)}`, undefined, {
        cause: error,
      });
    }
  }

  async #finish(task: Task, end: () => Promise<void>): Promise<void> {
    await end();
    // A task whose end could not be stored stays in the memory of this process until it expires.
    if (!task.stored) return;
    this.#running.delete(task.detail.taskId);
    this.#records.forget(task.detail.taskId);
  }

  /** Takes a command of another process, which has checked its client. */
  #take(command: TaskCommand): void {
    const task = this.#running.get(command.taskId);
    if (!task) return;
    if (command.kind === 'answer') task.answer(command.responses);
    else void this.#finish(task, () => task.cancel());
  }

  async requiredScopes(taskId: string, principal: string | undefined): Promise<readonly string[]> {
    return (await this.#look(taskId, principal))?.access.requires ?? [];
  }

  answer(method: string, call: ActiveCall, params: JsonObject): Promise<Result> {
    if (method === 'tasks/update') return this.#update(call, params);
    return method === 'tasks/cancel' ? this.#cancel(call, params) : this.#get(call, params);
  }

  async #get(call: ActiveCall, params: JsonObject): Promise<Result> {
    return complete((await this.#find(call, params)).detail);
  }

  async #update(call: ActiveCall, params: JsonObject): Promise<Result> {
    const responses = objectParam(params, 'inputResponses');
    const { detail, task, worker } = await this.#find(call, params);
    if (task) task.answer(readable((key) => task.waitsFor(key), responses));
    else if (!isOver(detail)) {
      const asked = detail.inputRequests ?? {};
      const known = readable((key) => Object.hasOwn(asked, key), responses);
      await this.#tell(worker, { kind: 'answer', taskId: detail.taskId, responses: known });
    }
    return complete({});
  }

  async #cancel(call: ActiveCall, params: JsonObject): Promise<Result> {
    const { detail, task, worker } = await this.#find(call, params);
    if (task) await this.#finish(task, () => task.cancel());
    else if (!isOver(detail)) await this.#tell(worker, { kind: 'cancel', taskId: detail.taskId });
    return complete({});
  }

  /** Passes a command on to the process that runs the task. */
  async #tell(worker: string, command: TaskCommand): Promise<void> {
    if (!this.#others) throw elsewhere();
    if (!(await this.#others.tell(worker, command)))
      throw new RpcError(internalError, 'The process that runs this task cannot be reached; try again later');
  }

  async watch(call: ActiveCall, taskIds: unknown, changed: (task: JsonObject) => void) {
    requireTasks(call, 'filter "taskIds"');
    const stops: (() => void)[] = [];
    const watchable: string[] = [];
    const stop = () => stops.forEach((each) => each());
    try {
      for (const id of idList(taskIds)) {
        const found = await this.#look(id, call.peer.principal);
        if (!found || !(found.task || this.#others || isOver(found.detail))) continue;
        if (lackingScopes({ definition: found.access }, call.caller).length > 0) continue;
        watchable.push(id);
        if (found.task) stops.push(found.task.watch(changed));
        else if (!isOver(found.detail)) stops.push(await this.#watchElsewhere(found.detail, changed));
        // The task may have changed since the client's last request, so the client gets its state now.
        changed(found.detail);
      }
    } catch (error) {
      stop();
      throw error;
    }
    return { watchable, stop };
  }

  /** Watches a task of another process, by what is stored of it. */
  async #watchElsewhere(detail: DetailedTask, changed: (task: JsonObject) => void): Promise<() => void> {
    const { taskId } = detail;
    let last = detail.lastUpdatedAt + detail.status;
    const look = async () => {
      const task = (await this.#records.get(taskId).catch(() => undefined))?.task;
      if (!task || task.lastUpdatedAt + task.status === last) return;
      last = task.lastUpdatedAt + task.status;
      changed(task);
    };
    return (await this.#others?.watch(taskId, () => void look())) ?? (() => {});
  }

  async #find(call: ActiveCall, params: JsonObject): Promise<Found> {
    const found = await this.#look(stringParam(params, 'taskId'), call.peer.principal);
    if (!found) throw new RpcError(invalidParams, 'Unknown or expired "taskId"');
    refuseLackingScopes({ definition: found.access }, call);
    return found;
  }

  /** The task with this id; undefined if it does not exist or belongs to another principal. */
  async #look(id: string, principal: string | undefined): Promise<Found | undefined> {
    const expires = expiryIn(id);
    if (expires === undefined || expires <= Date.now()) return undefined;
    const task = this.#running.get(id);
    if (task) {
      const { access, detail } = task;
      const { worker } = this.#records;
      return access.principal === principal ? { access, detail, task, worker: worker.id } : undefined;
    }
    const record = await this.#records.get(id);
    if (!record || record.principal !== principal) return undefined;
    return { access: record, detail: record.task, task: undefined, worker: record.worker };
  }

  #record(task: DetailedTask, access: TaskAccess) {
    return { worker: this.#records.worker.id, task, ...access };
  }

  async #save(task: DetailedTask, access: TaskAccess): Promise<void> {
    const giveUpAt = performance.now() + giveUpMs;
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#records.save(this.#record(task, access));
        break;
      } catch (error) {
        if (!isStoreUnavailable(error) || performance.now() > giveUpAt) throw error;
        await backOff(retries, attempt);
      }
    }
    await this.#others?.changed(task.taskId);
  }

  /** Returns the result in the form in which the call would have returned it without a task. */
  #encode({ revision }: ActiveCall, result: Result): JsonObject {
    return JSON.parse(this.#runtime.results.encode(revision, result)) as JsonObject;
  }

  #keepUp(): void {
    if (this.#upkeep) return;
    this.#upkeep = unref(
      setTimeout(() => void this.#tidy(), Math.min(upkeepMs, this.#limits.ttlMs, this.#limits.leaseMs / 3)),
    );
  }

  async #tidy(): Promise<void> {
    const now = Date.now();
    for (const [id, task] of this.#running) {
      if (expiryIn(id)! > now) continue;
      this.#running.delete(id);
      this.#records.forget(id);
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
type Found = {
  readonly access: TaskAccess;
  readonly detail: DetailedTask;
  readonly task: Task | undefined;
  /** The process that runs it, or has run it. */
  readonly worker: string;
};

/** Returns the answers to pending input requests, without other answers. Throws for a malformed answer. */
function readable(
  waitsFor: (key: string) => boolean,
  responses: JsonObject,
): { [key: string]: InputResponse } {
  const readable: { [key: string]: InputResponse } = {};
  for (const [key, response] of Object.entries(responses)) {
    if (!waitsFor(key)) continue;
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
