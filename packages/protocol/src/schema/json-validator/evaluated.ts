import type { Budget } from './budget.ts';

/** The properties or items of one value that keywords have evaluated. */
export class Evaluated {
  readonly #keys = new Set<string | number>();
  #isWhole = false;

  has(key: string | number): boolean {
    return this.#isWhole || this.#keys.has(key);
  }

  add(key: string | number): void {
    this.#keys.add(key);
  }

  /** Every property or item of the value has been evaluated. */
  addAll(): void {
    this.#isWhole = true;
  }

  /** Adds the properties and items of the same value that a subschema has evaluated. */
  merge(other: Evaluated, budget: Budget): void {
    if (this.#isWhole) return;
    this.#isWhole = other.#isWhole;
    if (this.#isWhole) return;
    budget.spend(other.#keys.size);
    for (const key of other.#keys) this.#keys.add(key);
  }
}
