/** Milliseconds that an item waits for those before it. */
const maxWaitMs = 1_000;

/** Passes items on in the order of `names`; after a second without waiting for those before. */
export class InOrder<T extends { readonly server: string }> implements Disposable {
  readonly #names: readonly string[];
  readonly #print: (item: T) => void;
  readonly #waiting = new Map<string, T>();
  readonly #timer: NodeJS.Timeout;
  #next = 0;
  #inOrder = true;

  constructor(names: readonly string[], print: (item: T) => void) {
    this.#names = names;
    this.#print = print;
    this.#timer = setTimeout(() => this.#end(), maxWaitMs);
  }

  add(item: T): void {
    if (!this.#inOrder) return this.#print(item);
    this.#waiting.set(item.server, item);
    for (;;) {
      const name = this.#names[this.#next] ?? '';
      const ready = this.#waiting.get(name);
      if (!ready) return;
      this.#waiting.delete(name);
      this.#next++;
      this.#print(ready);
    }
  }

  #end(): void {
    this.#inOrder = false;
    for (const item of this.#waiting.values()) this.#print(item);
    this.#waiting.clear();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#end();
  }
}
