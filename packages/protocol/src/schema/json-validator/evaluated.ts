import type { Budget } from './budget.ts';

/** The properties or items of one value that keywords have evaluated. */
export class Evaluated {
  readonly #budget: Budget;
  #keys: Set<string | number> | undefined;
  #isWhole = false;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  has(key: string | number): boolean {
    return this.#isWhole || this.#keys?.has(key) === true;
  }

  add(key: string | number): void {
    if (this.#isWhole) return;
    this.#budget.spend(12);
    this.#keys ??= new Set();
    this.#keys.add(key);
  }

  /** Marks every property or item of the value as evaluated. */
  addAll(): void {
    this.#isWhole = true;
  }

  /** Adds the properties and items of the same value that a subschema has evaluated. */
  merge(other: Evaluated): void {
    if (other.#isWhole) this.addAll();
    if (!this.#isWhole && other.#keys) for (const key of other.#keys) this.add(key);
  }
}
