/** What has happened, and what must not have happened. */
export class Ledger {
  readonly #counts = new Map<string, number>();
  readonly violations: string[] = [];

  count(what: string, by = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + by);
  }

  violated(what: string): void {
    this.count('violations');
    if (this.violations.length < 20) this.violations.push(what);
  }

  get lines(): readonly string[] {
    return [...this.#counts]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([what, count]) => `${String(count).padStart(8)}  ${what}`);
  }

  of(what: string): number {
    return this.#counts.get(what) ?? 0;
  }
}
