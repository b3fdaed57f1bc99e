import type { Caller } from '../../define/caller.ts';
import type { Id } from '../../jsonrpc/message.ts';
import { RequestMap } from '../../jsonrpc/request-map.ts';
import type { ActiveCall } from '../call/active-call.ts';

/** The requests of one connection that are still being answered, by their ids. */
export class RunningCalls {
  readonly #calls = new RequestMap<ActiveCall>();
  readonly #changed: () => void;
  #atWork = 0;
  #answered: (() => void) | undefined;

  /** Calls `changed` after every change of `atWork`. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** The number of running calls, without open subscriptions. */
  get atWork(): number {
    return this.#atWork;
  }

  /** The number of resources that running calls watch. */
  get subscriptions(): number {
    return [...this.#calls.entries()].reduce((sum, [, call]) => sum + call.subscriptions, 0);
  }

  has(id: Id): boolean {
    return this.#calls.has(id);
  }

  /** Adds a call; the returned function removes it. */
  add(call: ActiveCall): () => void {
    const work = call.finish ? 0 : 1;
    this.#calls.set(call.id, call);
    this.#count(work);
    return () => {
      this.#forget(call);
      this.#count(-work);
    };
  }

  /** Cancels a call, which then gets no answer. An unknown id is ignored: it may just have been answered. */
  cancel(id: Id, reason: Error | undefined): void {
    const call = this.#calls.get(id);
    if (!call?.open) return;
    call.cancel(reason);
    this.#forget(call);
    call.outlet.abandon();
  }

  /** Tells each call that its caller has got other scopes. */
  renewed(caller: Caller): void {
    for (const [, call] of this.#calls.entries()) call.renewed?.(caller);
  }

  cancelAll(): void {
    for (const [, call] of this.#calls.entries()) {
      if (!call.open) continue;
      call.cancel();
      call.outlet.abandon();
    }
  }

  endSubscriptions(): void {
    for (const [, call] of this.#calls.entries()) call.finish?.();
  }

  /** Ends every subscription, and resolves once every call is answered. */
  finish(): Promise<void> {
    this.endSubscriptions();
    return new Promise((resolve) => {
      this.#answered = resolve;
      if (this.#calls.size === 0) resolve();
    });
  }

  /** Removes a call that is answered or cancelled, so that its id can be used again. */
  #forget(call: ActiveCall): void {
    if (this.#calls.get(call.id) === call) this.#calls.delete(call.id);
    if (this.#calls.size === 0) this.#answered?.();
  }

  #count(change: number): void {
    this.#atWork += change;
    this.#changed();
  }
}
