import type { Call } from '../../define/call.ts';
import type { ActiveCall, Ask } from '../../server/call/active-call.ts';
import type { Becoming } from './task-promotion.ts';

type TaskCallClass = new (request: ActiveCall, becoming: Becoming) => ActiveCall;

const classes = new WeakMap<typeof ActiveCall, TaskCallClass>();

/** A call that may go on as a task: from then on, what it tells and asks is the task's. */
export function taskCall(request: ActiveCall, becoming: Becoming): ActiveCall {
  // Its handler sees what that of the request sees.
  const Base = request.constructor as typeof ActiveCall;
  let Call = classes.get(Base);
  if (!Call) classes.set(Base, (Call = taskCallsIn(Base)));
  return new Call(request, becoming);
}

function taskCallsIn(Base: typeof ActiveCall): TaskCallClass {
  return class extends Base {
    readonly #request: ActiveCall;
    readonly #becoming: Becoming;

    constructor(request: ActiveCall, becoming: Becoming) {
      super(request.id, request.caller, request.outlet, undefined);
      this.#request = request;
      this.#becoming = becoming;
      request.cancelled = () => this.cancel(request.signal.reason);
      this.asTask = (message) => becoming.begin(message);
    }

    override get progress(): Call['progress'] {
      return (done, total, message) => {
        const { task } = this.#becoming;
        if (!task) this.#request.progress(done, total, message);
        else if (Number.isFinite(done)) task.tell(message ?? progressText(done, total));
      };
    }

    override get log(): Call['log'] {
      return (level, data, logger) => {
        // A task has no place for logs.
        if (!this.#becoming.task) this.#request.log(level, data, logger);
      };
    }

    override get askInstead(): Ask | undefined {
      const { task } = this.#becoming;
      return task && ((questions) => task.ask(questions));
    }
  };
}

function progressText(done: number, total: number | undefined): string {
  return total === undefined ? String(done) : `${done} of ${total}`;
}
