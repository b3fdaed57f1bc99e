/**
 * The number of steps for a small value. Nested references can multiply them without bound,
 * and so can long lists of keywords that are checked for each item of a long list. A step takes about
 * a tenth of a microsecond.
 */
const baseSteps = 2_000_000;
/**
 * Further steps for each part of a value, and for those of a large one: an ordinary schema needs 5 for
 * a part of a table. A value of a megabyte takes about a second, the largest one and a half.
 */
const stepsPerPart = 20;
const largeParts = 500_000;
const stepsPerLargePart = 8;
const maxSteps = 16_000_000;
/** The number of characters that count as one part of a value. */
const charactersPerPart = 512;

/** Thrown where a check has taken too many steps. */
export const tooCostly = new Error('Too costly');

/** The number of characters that are read in the time of a step, and the number that are compared. */
const charactersRead = 16;
const charactersCompared = 256;

/**
 * The remaining steps of the check of one value. Every loop of the validator spends the steps that its
 * repetitions take.
 */
export class Budget {
  #left: number;

  /** Grants the steps that a value of this size may need. */
  constructor(value?: unknown) {
    const size = sizeOf(value, maxSteps / stepsPerLargePart);
    const large = Math.max(0, size - largeParts);
    this.#left = Math.min(maxSteps, baseSteps + stepsPerPart * (size - large) + stepsPerLargePart * large);
  }

  /** Throws {@link tooCostly} if too few steps remain. */
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

/** The number of parts that a value has, counted up to `most`. */
function sizeOf(value: unknown, most: number): number {
  let size = 0;
  const waiting: object[] = [[value]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const part of Object.values(next) as unknown[]) {
      size += typeof part === 'string' ? 1 + part.length / charactersPerPart : 1;
      if (size >= most) return most;
      if (typeof part === 'object' && part !== null) waiting.push(part);
    }
  }
  return size;
}
