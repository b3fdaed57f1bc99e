import { Random } from '../destruction/random.ts';
import { Events, type Scheduled } from './events.ts';
import { Network } from './network.ts';
import { Process } from './process.ts';

/**
 * A world in which all time is virtual. One event happens at a time, in the process to which it belongs, with
 * all microtasks that follow from it; so everything is the same in each run with the same seed.
 */
export class World {
  /** Milliseconds since the beginning. */
  now = 0;
  readonly random: Random;
  readonly network: Network;
  /** Where everything happens that belongs to no replica. */
  readonly outside = new Process('outside');
  current = this.outside;
  readonly #events = new Events();
  readonly #isCalm: boolean;
  #ids = 0;
  /** The log of events; undefined where it is not printed. */
  readonly lines: string[] | undefined;

  constructor(seed: number, { isCalm = false, isTold = false } = {}) {
    this.random = new Random(seed);
    this.network = new Network(this);
    this.#isCalm = isCalm;
    this.lines = isTold ? [] : undefined;
  }

  /** Plans what happens after some milliseconds, in the process that plans it. */
  after(ms: number, run: () => void, process = this.current): Scheduled {
    return this.#events.add(this.now + Math.max(0, ms), process, run);
  }

  /** How long a message travels, in milliseconds. */
  latency(): number {
    if (this.#isCalm) return 1;
    const dice = this.random.between(0, 99);
    return dice < 70 ? 1 : dice < 97 ? this.random.between(1, 20) : this.random.between(20, 400);
  }

  /** A whole number that no other one in this world is. */
  nextId(): number {
    return ++this.#ids;
  }

  tell(line: () => string): void {
    this.lines?.push(`${this.now.toFixed(0).padStart(7)} ms  ${line()}`);
  }

  /** Runs in a process, with all microtasks that follow. */
  in(process: Process, run: () => void): void {
    this.current = process;
    run();
    drain();
    this.current = this.outside;
  }

  /** Runs until `until` returns true, or nothing is planned before `limit`, in milliseconds of this world. */
  run(limit: number, until: () => boolean = () => false): void {
    while (!until()) {
      const event = this.#events.next(limit);
      if (!event) break;
      const { process } = event;
      if (!process.alive) continue;
      if (process.pausedUntil > event.at) {
        this.#events.again(event, process.pausedUntil);
        continue;
      }
      this.now = event.at;
      this.in(process, event.run);
    }
    if (!until()) this.now = Math.max(this.now, limit);
  }

  kill(process: Process): void {
    process.alive = false;
    for (const dead of process.whenDead.splice(0)) dead();
  }
}

/** Runs all microtasks now. Has an effect only outside of microtasks. */
export const drain = (() => {
  // oxlint-disable-next-line no-new-func, no-implied-eval
  return new Function('%PerformMicrotaskCheckpoint()') as () => void;
})();
