import type { Call } from '../../define/call.ts';
import { ActiveCall, type Ask } from '../../server/call/active-call.ts';
import type { TaskPromotion } from './task-promotion.ts';

/** A call that may continue as a task: from then on, its progress and its questions are the task's. */
export class TaskCall extends ActiveCall {
  readonly #request: ActiveCall;
  readonly #promotion: TaskPromotion;

  constructor(request: ActiveCall, promotion: TaskPromotion) {
    super(request.id, request.caller, request.outlet, undefined, request.context);
    this.#request = request;
    this.#promotion = promotion;
    request.cancelled = () => this.cancel(request.signal.reason);
    this.asTask = (message) => promotion.begin(message);
  }

  override get progress(): Call['progress'] {
    return (done, total, message) => {
      const { task } = this.#promotion;
      if (!task) this.#request.progress(done, total, message);
      else if (Number.isFinite(done)) task.tell(message ?? progressText(done, total));
    };
  }

  override get log(): Call['log'] {
    return (level, data, logger) => {
      // The tasks extension has no way to send logs.
      if (!this.#promotion.task) this.#request.log(level, data, logger);
    };
  }

  override get askInstead(): Ask | undefined {
    const { task } = this.#promotion;
    return task && ((questions) => task.ask(questions));
  }
}

function progressText(done: number, total: number | undefined): string {
  return total === undefined ? String(done) : `${done} of ${total}`;
}
