import type { Outcome } from './simulation.ts';
import type { Schedule } from './schedule.ts';

/** Other chances that are tried when an action is left out. */
const otherSeeds = [1, 2];

/**
 * The shortest schedule that ends with the same sentence: without each action that it does not need, and
 * with messages that travel equally long, if it can be.
 */
export function shrink(schedule: Schedule, simulate: (schedule: Schedule) => Outcome): Schedule {
  const kind = kindOf(simulate(schedule).violation);
  const fails = (tried: Schedule) => kindOf(simulate(tried).violation) === kind;
  const failing = (tried: Schedule) =>
    [
      { ...tried, isCalm: true },
      ...[tried.seed, ...otherSeeds].map((seed) => ({ ...tried, seed, isCalm: false })),
    ].find(fails);
  let shortest = failing(schedule) ?? schedule;
  for (let before = Infinity; before > shortest.actions.length;) {
    before = shortest.actions.length;
    shortest = shorter(shortest, failing);
  }
  return shortest;
}

/** Leaves out what is not needed, one action after the other. */
function shorter(schedule: Schedule, failing: (tried: Schedule) => Schedule | undefined): Schedule {
  let shortest = schedule;
  for (
    let index = shortest.actions.length - 1;
    index >= 0;
    index = Math.min(index, shortest.actions.length) - 1
  ) {
    const found = failing({ ...shortest, actions: shortest.actions.toSpliced(index, 1) });
    if (found) shortest = found;
  }
  return shortest;
}

/** A sentence without its numbers and names. */
function kindOf(violation: string | undefined): string | undefined {
  return violation?.replaceAll(/[0-9a-f]{8}|\d+|ann|bob/g, '*').replaceAll(/ at \*( ms)?/g, '');
}
