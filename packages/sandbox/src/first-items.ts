/** Keeps the first `count` items of a sorted list, and counts all items. */
export class FirstItems<Item> {
  total = 0;
  #items: Item[] = [];
  readonly #count: number;
  readonly #order: (a: Item, b: Item) => number;

  constructor(count: number, order: (a: Item, b: Item) => number) {
    this.#count = count;
    this.#order = order;
  }

  push(item: Item): void {
    this.total++;
    this.#items.push(item);
    // Sorts and shortens the list while it grows: sorting a very long list would block the event loop.
    if (this.#items.length > 2 * this.#count + 1000) this.sorted();
  }

  sorted(): Item[] {
    this.#items = this.#items.sort(this.#order).slice(0, this.#count);
    return this.#items;
  }
}

/** Compares two texts by their UTF-16 code units. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
