import type { Id } from '../../jsonrpc/message.ts';
import type { ActiveCall } from '../call/active-call.ts';

/** The requests of one connection that are still being answered, by their ids. */
export class RunningCalls {
  readonly #calls = new Map<Id, ActiveCall>();
  readonly #changed: () => void;
  #atWork = 0;
  #answered: (() => void) | undefined;

  /** `changed` is called each time that `atWork` has changed. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** How many are being worked on: a stream is open, not at work. */
  get atWork(): number {
    return this.#atWork;
  }

  has(id: Id): boolean {
    return this.#calls.has(id);
  }

  /** Keeps a call until what this returns is called. */
  add(call: ActiveCall): () => void {
    const work = call.finish ? 0 : 1;
    this.#calls.set(call.id, call);
    this.#count(work);
    return () => {
      this.#forget(call);
      this.#count(-work);
    };
  }

  /** Cancels a call, which gets no answer any more; one that is unknown has lost the race against its answer. */
  cancel(id: Id, reason: Error | undefined): void {
    const call = this.#calls.get(id);
    if (!call?.open) return;
    call.cancel(reason);
    this.#forget(call);
    call.outlet.abandon();
  }

  cancelAll(): void {
    for (const call of this.#calls.values()) {
      if (!call.open) continue;
      call.cancel();
      call.outlet.abandon();
    }
  }

  /** Ends every stream, and resolves once all is answered. */
  finish(): Promise<void> {
    for (const call of this.#calls.values()) call.finish?.();
    return new Promise((resolve) => {
      this.#answered = resolve;
      if (this.#calls.size === 0) resolve();
    });
  }

  /** Frees the id of a call that gets no answer any more. */
  #forget(call: ActiveCall): void {
    if (this.#calls.get(call.id) === call) this.#calls.delete(call.id);
    if (this.#calls.size === 0) this.#answered?.();
  }

  #count(change: number): void {
    this.#atWork += change;
    this.#changed();
  }
}
