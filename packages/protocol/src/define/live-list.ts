import { callSafely } from '@mcp/kit';

/** The kinds of lists that may change while a server runs. */
export type ListKind = 'tools' | 'resources' | 'prompts';

/** A list that may change while it is served; clients are notified of each change. */
export class LiveList<T> implements Iterable<T> {
  #items: readonly T[];
  readonly #listeners = new Set<() => void>();

  constructor(items: Iterable<T> = []) {
    this.#items = [...items];
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#items[Symbol.iterator]();
  }

  /** Replaces all items and notifies the listeners: all of them, before the error of one is thrown. */
  replace(items: Iterable<T>): void {
    this.#items = [...items];
    const errors: unknown[] = [];
    for (const changed of this.#listeners) callSafely(changed, (error) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  }

  add(item: T): void {
    this.replace([...this.#items, item]);
  }

  remove(item: T): void {
    this.replace(this.#items.filter((kept) => kept !== item));
  }

  /** Calls `changed` after each change, until the returned function is called. */
  watch(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  }
}
