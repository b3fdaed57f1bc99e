import type { Process } from './process.ts';

/** What is planned: `at` is in milliseconds of the world. */
export interface Scheduled {
  at: number;
  readonly order: number;
  readonly process: Process;
  readonly run: () => void;
  cancelled: boolean;
}

/** What is planned, in the order of time; at the same time, in the order in which it was planned. */
export class Events {
  /** A binary heap. */
  readonly #heap: Scheduled[] = [];
  #order = 0;

  add(at: number, process: Process, run: () => void): Scheduled {
    const event = { at, order: this.#order++, process, run, cancelled: false };
    this.#push(event);
    return event;
  }

  /** Plans an event again that `next` has returned. */
  again(event: Scheduled, at: number): void {
    event.at = at;
    this.#push(event);
  }

  /** Takes the next event up to a time. */
  next(limit: number): Scheduled | undefined {
    for (let first = this.#heap[0]; first; first = this.#heap[0]) {
      if (!first.cancelled && first.process.alive && first.at > limit) return undefined;
      this.#pop();
      if (!first.cancelled) return first;
    }
    return undefined;
  }

  #push(event: Scheduled): void {
    const heap = this.#heap;
    let index = heap.length;
    for (; index > 0; index = (index - 1) >> 1) {
      const parent = heap[(index - 1) >> 1]!;
      if (isBefore(parent, event)) break;
      heap[index] = parent;
    }
    heap[index] = event;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let index = 0;
    for (let child = 1; child < heap.length; child = 2 * index + 1) {
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (isBefore(last, heap[child]!)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
  }
}

function isBefore(one: Scheduled, other: Scheduled): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
