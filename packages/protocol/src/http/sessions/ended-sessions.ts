/**
 * The sessions that clients have ended, for `endedSessions`. A session has a key here, which is not its id:
 * with the key alone, no client can use the session.
 */
export interface EndedSessions {
  /** Stores a key; it may be forgotten at `expiresAt`, in milliseconds since 1970, when its id expires. */
  add(key: string, expiresAt: number): void | Promise<void>;
  /** Whether a key was added. Called for each request in a session, so an answer should not take long. */
  has(key: string): boolean | Promise<boolean>;
}

const maxKeys = 100_000;

/** Keeps the newest 100,000 keys in the memory of this process. */
export class EndedInMemory implements EndedSessions {
  readonly #keys = new Set<string>();

  add(key: string): void {
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > maxKeys) this.#keys.delete(oldest!);
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }
}
