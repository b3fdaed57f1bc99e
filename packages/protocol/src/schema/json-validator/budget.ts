/**
 * The maximum number of steps for one value; nested references can multiply them without bound, and so can long lists
 * of keywords that are checked for each item of a long list. A step takes about a tenth of a microsecond.
 */
const maxSteps = 2_000_000;

/** Thrown where a check has taken too many steps. */
export const tooCostly = new Error('Too costly');

/** How much of a text is read in the time of a step, and how much is compared with another. */
const charactersRead = 16;
const charactersCompared = 256;

/** The steps that the check of one value may still take. Every loop of the validator spends what it repeats. */
export class Budget {
  #left = maxSteps;

  /** Throws {@link tooCostly} where too few steps are left. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw tooCostly;
  }

  /** Spends the steps of reading a text of this length. */
  read(length: number): void {
    this.spend(length / charactersRead);
  }

  /** Spends the steps of comparing a text of this length, or of hashing it. */
  compare(length: number): void {
    this.spend(length / charactersCompared);
  }
}
