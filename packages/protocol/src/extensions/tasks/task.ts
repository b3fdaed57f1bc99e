import { messageOf } from '@mcp/kit';
import type { InputResponse, Inputs } from '../../define/input/input.ts';
import { type ErrorObject, internalError, type RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import type { TaskStatus } from '../../define/task-manager.ts';
import type { Ask } from '../../server/call/active-call.ts';
import type { TaskAccess } from './task-access.ts';

/** A task as `tasks/get` returns it. */
export type DetailedTask = {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  readonly inputRequests?: JsonObject;
  readonly result?: JsonObject;
  readonly error?: ErrorObject;
};

type Questions = Parameters<Ask>[0];

type Change = Parameters<typeof changed>[1];

/** The input requests of one round, by the keys under which the client gets them, and the answers so far. */
type Round = {
  readonly questions: Map<string, { readonly key: string; readonly question: Questions[number][1] }>;
  readonly answers: { [key: string]: InputResponse };
  readonly resume: (inputs: Inputs) => void;
  readonly giveUp: (reason: unknown) => void;
};

/** A task that runs in this process. Once the task has ended, it does not change. */
export class Task {
  readonly access: TaskAccess;
  readonly #keep: (task: DetailedTask) => Promise<void>;
  readonly #abort: (reason: Error) => void;
  readonly #watchers = new Set<(task: DetailedTask) => void>();
  readonly #usedKeys = new Set<string>();
  #detail: DetailedTask;
  #round: Round | undefined;
  #ended = false;
  #stored = false;
  #stores: Promise<void> = Promise.resolve();

  /** `keep` stores the task after each change of its status; `abort` tells the handler to stop. */
  constructor(
    detail: DetailedTask,
    access: TaskAccess,
    keep: (task: DetailedTask) => Promise<void>,
    abort: (reason: Error) => void,
  ) {
    this.#detail = detail;
    this.access = access;
    this.#keep = keep;
    this.#abort = abort;
  }

  get detail(): DetailedTask {
    return this.#detail;
  }

  /** Whether the task has ended and its end is stored. */
  get stored(): boolean {
    return this.#stored;
  }

  /** Calls `changes` with the task after every change, until the returned function is called. */
  watch(changes: (task: DetailedTask) => void): () => void {
    // Two subscriptions may pass the same function: each needs its own entry in the set.
    const watcher = (task: DetailedTask) => changes(task);
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  tell(statusMessage: string): void {
    const { status, inputRequests } = this.#detail;
    if (this.#ended || statusMessage === this.#detail.statusMessage) return;
    this.#become(changed(this.#detail, { status, statusMessage, ...(inputRequests && { inputRequests }) }));
  }

  /** Asks the client for these inputs and resolves with the answers to all of them. */
  ask(questions: Questions): Promise<Inputs> {
    if (questions.length === 0) return Promise.resolve({});
    return new Promise((resume, giveUp) => {
      if (this.#ended) return giveUp(new Error('The task has ended'));
      const asked = questions.map(([key, question]) => [this.#unusedKey(key), { key, question }] as const);
      this.#round = { questions: new Map(asked), answers: {}, resume, giveUp };
      this.#wait(this.#round);
    });
  }

  waitsFor(key: string): boolean {
    return this.#round?.questions.has(key) ?? false;
  }

  /** Takes the client's answers to some or all pending input requests. */
  answer(responses: { readonly [key: string]: InputResponse }): void {
    const round = this.#round;
    if (!round) return;
    for (const [key, response] of Object.entries(responses)) {
      const asked = round.questions.get(key);
      if (!asked) continue;
      round.questions.delete(key);
      round.answers[asked.key] = response;
    }
    if (round.questions.size > 0) return this.#wait(round);
    this.#round = undefined;
    this.#update({ status: 'working' });
    round.resume(round.answers);
  }

  complete(result: JsonObject): Promise<void> {
    return this.#end({ status: 'completed', result });
  }

  fail({ code, message, data }: RpcError): Promise<void> {
    const error = { code, message, ...(data !== undefined && { data }) };
    return this.#end({ status: 'failed', statusMessage: message, error });
  }

  async cancel(): Promise<void> {
    const cancelled = this.#end({ status: 'cancelled' });
    this.stop(new Error('The task has been cancelled'));
    await cancelled;
  }

  /** Stops the handler; the status of the task does not change. */
  stop(reason: Error): void {
    this.#round?.giveUp(reason);
    this.#round = undefined;
    this.#abort(reason);
  }

  // A key is used for one input request only, so that a late answer cannot reach another request.
  #unusedKey(key: string): string {
    let unused = key;
    for (let round = 2; this.#usedKeys.has(unused); round++) unused = `${key}-${round}`;
    this.#usedKeys.add(unused);
    return unused;
  }

  #wait({ questions }: Round): void {
    const open = [...questions].map(([key, { question }]) => [key, question]);
    this.#update({ status: 'input_required', inputRequests: Object.fromEntries(open) });
  }

  #update(change: Change): void {
    if (this.#ended) return;
    this.#become(changed(this.#detail, change));
    this.#store(() => this.#keep(this.#detail));
  }

  /** Ends the task, unless it has ended. Resolves when the final state is stored, so that clients see it. */
  async #end(change: Change): Promise<void> {
    if (!this.#ended) {
      this.#ended = true;
      const detail = changed(this.#detail, change);
      this.#store(async () => this.#become(await this.#keepEnd(detail)));
    }
    await this.#stores;
  }

  /** Stores the final state; if the result cannot be stored, makes the task fail. Returns the final state. */
  async #keepEnd(detail: DetailedTask): Promise<DetailedTask> {
    try {
      await this.#keep(detail);
      this.#stored = true;
      return detail;
    } catch (error) {
      // If the store fails, this process keeps the status, which is small, but no result.
      if (detail.status !== 'completed') return detail;
      const message = `Cannot store the result: ${messageOf(error)}`;
      const failed = changed(detail, {
        status: 'failed',
        statusMessage: message,
        error: { code: internalError, message },
      });
      await this.#keep(failed).then(
        () => (this.#stored = true),
        () => undefined,
      );
      return failed;
    }
  }

  /** Runs `step` after all earlier steps, so that the store ends up with the newest state. */
  #store(step: () => Promise<void>): void {
    this.#stores = this.#stores.then(step).catch(() => undefined);
  }

  #become(detail: DetailedTask): void {
    this.#detail = detail;
    for (const watcher of this.#watchers) watcher(detail);
  }
}

export function isOver({ status }: DetailedTask): boolean {
  return status !== 'working' && status !== 'input_required';
}

/**
 * Returns the task with a new status and the members that belong to it. Members of the former status, such as
 * `inputRequests`, are left out.
 */
export function changed(
  { taskId, createdAt, ttlMs, pollIntervalMs }: DetailedTask,
  change: Pick<DetailedTask, 'status' | 'statusMessage' | 'inputRequests' | 'result' | 'error'>,
): DetailedTask {
  return { taskId, createdAt, ttlMs, pollIntervalMs, lastUpdatedAt: new Date().toISOString(), ...change };
}
