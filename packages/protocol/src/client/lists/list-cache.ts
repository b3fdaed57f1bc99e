interface Entry {
  readonly items: readonly unknown[];
  readonly freshUntil: number;
}

/** The maximum of `ttlMs`, in milliseconds: a day. */
const maxTtlMs = 24 * 60 * 60_000;

/**
 * The cached lists of one client. Lists with `cacheScope: 'private'` are cached too, because all requests of
 * a client have the same authorization.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export class ListCache {
  readonly #entries = new Map<string, Entry>();
  /** How often each list was dropped. A list that is dropped while it is being read is not stored. */
  readonly #drops = new Map<string, number>();

  get<Item>(method: string): readonly Item[] | undefined {
    const entry = this.#entries.get(method);
    if (!entry) return undefined;
    if (performance.now() < entry.freshUntil) return entry.items as readonly Item[];
    this.#entries.delete(method);
    return undefined;
  }

  /** Begins to read a list. The returned function stores the list for its pages' shortest `ttlMs`. */
  begin(method: string): (items: readonly unknown[], ttlMs: readonly unknown[]) => void {
    const drops = this.#drops.get(method);
    const readAt = performance.now();
    return (items, ttlMs) => {
      const ttl = Math.min(maxTtlMs, ...ttlMs.map((ms) => (typeof ms === 'number' ? ms : 0)));
      if (!(ttl > 0) || this.#drops.get(method) !== drops) return;
      this.#entries.set(method, { items, freshUntil: readAt + ttl });
    };
  }

  drop(method: string): void {
    this.#entries.delete(method);
    this.#drops.set(method, (this.#drops.get(method) ?? 0) + 1);
  }

  clear(): void {
    for (const method of this.#entries.keys()) this.drop(method);
  }
}
