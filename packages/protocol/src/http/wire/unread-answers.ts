/** The bytes of answers that this process buffers because their clients do not read them. */
export class UnreadAnswers {
  readonly #waiting = new Set<() => number>();

  /** Counts the bytes that `waiting` returns, until the returned function is called. */
  add(waiting: () => number): () => void {
    this.#waiting.add(waiting);
    return () => void this.#waiting.delete(waiting);
  }

  get bytes(): number {
    let bytes = 0;
    for (const waiting of this.#waiting) bytes += waiting();
    return bytes;
  }
}
