/**
 * The steps that the check of a small value may take; a step takes about 0.1 µs. Without a limit, nested
 * references, and long lists of keywords for each item of a long list, could multiply the steps.
 */
const baseSteps = 2_000_000;
/**
 * Further steps for each part of a value: `stepsPerPart` for the first `largeParts` parts,
 * `stepsPerLargePart` for the rest. An ordinary schema for rows of a table needs 5 steps per part. With these
 * limits, the check of a megabyte takes at most about a second, and any check at most 1.5 seconds.
 */
const stepsPerPart = 20;
const largeParts = 500_000;
const stepsPerLargePart = 8;
const maxSteps = 16_000_000;
/** The number of characters that count as one part of a value. */
const charactersPerPart = 512;

/** Thrown if a check needs more steps than it may take. */
export const tooCostly = new Error('Too costly');

/** The number of characters that can be read in the time of one step, and the number that can be compared. */
const charactersRead = 16;
const charactersCompared = 256;

/** The remaining steps of the check of one value. Every loop spends steps from this budget. */
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

  /** Spends the steps for reading a text of this length. */
  read(length: number): void {
    this.spend(length / charactersRead);
  }

  /** Spends the steps for comparing or hashing a text of this length. */
  compare(length: number): void {
    this.spend(length / charactersCompared);
  }
}

/** The number of parts of a value, up to `most`: members, items, and pieces of long texts. */
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
