import { stackOf } from '../../packages/kit/src/index.ts';
import { shrink } from './shrink.ts';
import { linesOf, type Schedule, scheduleOf } from './schedule.ts';
import type { Outcome } from './simulation.ts';

type Simulate = (schedule: Schedule, isTold?: boolean) => Outcome;

/** A schedule after which something does not hold. */
export interface Failure {
  readonly seed: number;
  readonly violation: string;
}

// The simulation replaces it by one of its worlds.
const inNextTurn = setImmediate;

/** Runs the schedules of `count` seeds, until one fails. */
export async function search(simulate: Simulate, from: number, count: number): Promise<Failure | undefined> {
  let unhandled: string | undefined;
  const note = (error: unknown) => (unhandled = stackOf(error));
  process.on('unhandledRejection', note);
  try {
    for (let seed = from; seed < from + count; seed++) {
      const { violation } = await outside(() => simulate(scheduleOf(seed)));
      if (unhandled !== undefined) return { seed, violation: `an error is not handled: ${unhandled}` };
      if (violation !== undefined) return { seed, violation };
    }
    return undefined;
  } finally {
    process.off('unhandledRejection', note);
  }
}

/** A failure with its shortest schedule, as lines. */
export async function described(
  { seed, violation }: Failure,
  simulate: Simulate,
): Promise<readonly string[]> {
  const shortest = await outside(() => shrink(scheduleOf(seed), simulate));
  return [`seed ${seed}: ${violation}`, ...linesOf(shortest)];
}

/** Runs outside of all microtasks, which a world runs itself. */
export function outside<Result>(run: () => Result): Promise<Result> {
  return new Promise((resolve, reject) => {
    inNextTurn(() => {
      try {
        resolve(run());
      } catch (error) {
        reject(error as Error);
      }
    });
  });
}
