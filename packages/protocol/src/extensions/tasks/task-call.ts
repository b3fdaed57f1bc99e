import type { Call } from '../../define/call.ts';
import { ActiveCall, type Ask } from '../../server/call/active-call.ts';
import type { Task } from './task.ts';

/** A call that may continue as a task: once the task exists, progress and input requests belong to it. */
export class TaskCall extends ActiveCall {
  readonly #request: ActiveCall;
  readonly #begin: (message: string | undefined) => Promise<Task | undefined>;
  #task: Task | undefined;
  #begun: Promise<void> | undefined;

  /** `begin` is called once, and returns the task, or undefined if the call continues without one. */
  constructor(request: ActiveCall, begin: (message: string | undefined) => Promise<Task | undefined>) {
    super(request.id, request.peer, request.outlet, undefined, request.context, request.sender);
    this.meta = request.meta;
    this.#request = request;
    this.#begin = begin;
    request.cancelled = () => this.cancel(request.signal.reason);
    this.asTask = (message) => this.#promote(message);
  }

  /** Resolves once it is known whether the call runs as a task: with the task, or with undefined. */
  async settled(): Promise<Task | undefined> {
    // An error of `begin` is ignored here, because the handler gets it from `asTask`.
    await this.#begun?.catch(() => undefined);
    return this.#task;
  }

  override get progress(): Call['progress'] {
    return (done, total, message) => {
      if (!this.#task) this.#request.progress(done, total, message);
      else if (Number.isFinite(done)) this.#task.tell(message ?? progressText(done, total));
    };
  }

  override get log(): Call['log'] {
    return (level, data, logger) => {
      // Logs are dropped once the task exists, because the tasks extension has no way to send them.
      if (!this.#task) this.#request.log(level, data, logger);
    };
  }

  override get askInstead(): Ask | undefined {
    const task = this.#task;
    return task && ((questions) => task.ask(questions));
  }

  #promote(message: string | undefined): Promise<void> {
    if (message !== undefined) this.#task?.tell(message);
    if (!this.#begun) {
      this.#begun = this.#begin(message).then((task) => void (this.#task = task));
      // If the handler does not await `asTask`, the error must not become an unhandled rejection.
      this.#begun.catch(() => undefined);
    }
    return this.#begun;
  }
}

function progressText(done: number, total: number | undefined): string {
  return total === undefined ? String(done) : `${done} of ${total}`;
}
