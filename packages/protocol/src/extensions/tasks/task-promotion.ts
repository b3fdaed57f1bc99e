import type { Task } from './task.ts';

/** Whether a call has gone on as a task yet. */
export class TaskPromotion {
  readonly #begin: (message: string | undefined) => Promise<Task | undefined>;
  #task: Task | undefined;
  #begun: Promise<void> | undefined;

  /** `begin` makes the task; undefined where the call goes on as it is. */
  constructor(begin: (message: string | undefined) => Promise<Task | undefined>) {
    this.#begin = begin;
  }

  get task(): Task | undefined {
    return this.#task;
  }

  /** Makes the task, the first time; `message` is what it says from now on. */
  begin(message: string | undefined): Promise<void> {
    if (message !== undefined) this.#task?.tell(message);
    if (!this.#begun) {
      this.#begun = this.#begin(message).then((task) => void (this.#task = task));
      // A handler that does not wait for its task goes on without it.
      this.#begun.catch(() => undefined);
    }
    return this.#begun;
  }

  /** The task, once it is clear whether there is one. */
  async settled(): Promise<Task | undefined> {
    // Who waits for the task to begin is told why it does not.
    await this.#begun?.catch(() => undefined);
    return this.#task;
  }
}
