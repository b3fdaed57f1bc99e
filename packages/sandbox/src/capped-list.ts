/** Keeps the first 100 items of a list, and counts all items. */
export class CappedList<Item> {
  readonly items: Item[] = [];
  total = 0;

  push(item: Item): void {
    if (this.total++ < 100) this.items.push(item);
  }
}
