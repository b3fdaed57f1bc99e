/** A map of limited size that evicts the least recently used entry. */
export class LruMap<Value> {
  readonly #maxSize: number;
  readonly #values = new Map<string, Value>();

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    // A map that is not full evicts nothing, so the order need not be updated, which would cost time.
    if (value !== undefined && this.#values.size >= this.#maxSize) this.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= this.#maxSize) return;
    const [oldest] = this.#values.keys();
    this.#values.delete(oldest!);
  }
}
