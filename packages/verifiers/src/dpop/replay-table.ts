import { VerifierUnavailable } from '@mcp/protocol/web';

/** The most proofs that are remembered in all, and of one key. */
const maxProofs = 100_000;
const maxProofsOfKey = 10_000;

/**
 * Remembers the proofs that this process has accepted, as long as they could be used again, so that none is
 * accepted twice.
 */
export class ReplayTable {
  readonly #lifetimeMs: number;
  /** When each used proof expires, the oldest first, by its key and its id (`jti`). */
  readonly #ends = new Map<string, number>();
  readonly #ofKey = new Map<string, number>();

  /**
   * @param lifetimeMs For how many milliseconds a used proof is remembered, at least as long as it is valid.
   */
  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs;
  }

  /**
   * Returns whether the proof is new, and remembers it. Throws if there is no room, because a proof that is
   * not remembered could be replayed. One client can fill only a part of the table.
   */
  add(key: string, id: string): boolean {
    const now = performance.now();
    this.#forget(now);
    const entry = `${key} ${id}`;
    if (this.#ends.has(entry)) return false;
    const ofKey = this.#ofKey.get(key) ?? 0;
    if (this.#ends.size >= maxProofs || ofKey >= maxProofsOfKey)
      throw new VerifierUnavailable('Too many proofs (DPoP) in a short time');
    this.#ends.set(entry, now + this.#lifetimeMs);
    this.#ofKey.set(key, ofKey + 1);
    return true;
  }

  #forget(now: number): void {
    for (const [entry, end] of this.#ends) {
      if (end > now) return;
      this.#ends.delete(entry);
      const [key = ''] = entry.split(' ');
      const left = (this.#ofKey.get(key) ?? 1) - 1;
      if (left > 0) this.#ofKey.set(key, left);
      else this.#ofKey.delete(key);
    }
  }
}
