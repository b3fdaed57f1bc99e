import type { Task } from './task.ts';

/** Promotes a call to a task, at most once. */
export class TaskPromotion {
  readonly #begin: (message: string | undefined) => Promise<Task | undefined>;
  #task: Task | undefined;
  #begun: Promise<void> | undefined;

  /** `begin` creates the task; it returns undefined where the call continues without one. */
  constructor(begin: (message: string | undefined) => Promise<Task | undefined>) {
    this.#begin = begin;
  }

  get task(): Task | undefined {
    return this.#task;
  }

  /** Creates the task on the first call; `message` becomes its status message. */
  begin(message: string | undefined): Promise<void> {
    if (message !== undefined) this.#task?.tell(message);
    if (!this.#begun) {
      this.#begun = this.#begin(message).then((task) => void (this.#task = task));
      // A handler that does not await its task continues without it.
      this.#begun.catch(() => undefined);
    }
    return this.#begun;
  }

  /** The task; resolves once it is known whether there is one. */
  async settled(): Promise<Task | undefined> {
    // The handler that awaits the task gets the error.
    await this.#begun?.catch(() => undefined);
    return this.#task;
  }
}
