import { createHash } from 'node:crypto';
import { VerifierUnavailable } from '@mcp/protocol/web';
import type { Claims } from '../tokens/caller-of.ts';
import { TokenRefused } from '../tokens/token-refused.ts';

const maxAnswers = 10_000;
const maxRefusalAgeMs = 5_000;
/** Maximum number of tokens about which the authorization server is asked at the same time. */
const maxAsked = 100;

type Kept<Answer> = Map<string, { readonly answer: Answer; readonly end: number }>;

/** Keeps answers about tokens for a short time, by the hashes of the tokens. */
export class AnswerCache {
  readonly #maxAgeMs: number;
  readonly #answers: Kept<Claims> = new Map();
  /** Refusals are kept apart, so that many invalid tokens do not displace answers about valid ones. */
  readonly #refusals: Kept<TokenRefused> = new Map();
  readonly #asked = new Map<string, Promise<Claims>>();

  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs;
  }

  /**
   * Returns what the authorization server says about a token: a kept answer or that of `ask`, which calls
   * with the same token share. Throws a kept or new `TokenRefused`, and a `VerifierUnavailable` while the
   * server is being asked about too many tokens.
   */
  async get(token: string, ask: () => Promise<Claims>): Promise<Claims> {
    const key = createHash('sha256').update(token).digest('base64');
    const refusal = current(this.#refusals, key);
    if (refusal) throw refusal;
    const claims = current(this.#answers, key) ?? this.#asked.get(key);
    if (claims) return claims;
    if (this.#asked.size >= maxAsked)
      throw new VerifierUnavailable(`The server is being asked about ${maxAsked} tokens, the most at once`);
    const asked = this.#ask(key, ask).finally(() => this.#asked.delete(key));
    this.#asked.set(key, asked);
    return asked;
  }

  /** Calls `ask`, and keeps the answer, though never after the token's expiry. */
  async #ask(key: string, ask: () => Promise<Claims>): Promise<Claims> {
    try {
      const claims = await ask();
      const { exp } = claims;
      const validMs = typeof exp === 'number' ? exp * 1000 - Date.now() : Infinity;
      keep(this.#answers, key, { answer: claims, keptMs: Math.min(this.#maxAgeMs, validMs) });
      return claims;
    } catch (error) {
      if (error instanceof TokenRefused)
        keep(this.#refusals, key, { answer: error, keptMs: Math.min(this.#maxAgeMs, maxRefusalAgeMs) });
      throw error;
    }
  }
}

function current<Answer>(kept: Kept<Answer>, key: string): Answer | undefined {
  const found = kept.get(key);
  if (found && found.end > performance.now()) return found.answer;
  kept.delete(key);
  return undefined;
}

/** Keeps an answer for `keptMs`. If the map is full, the oldest answer in it is removed first. */
function keep<Answer>(
  kept: Kept<Answer>,
  key: string,
  { answer, keptMs }: { readonly answer: Answer; readonly keptMs: number },
): void {
  if (keptMs <= 0) return;
  const [oldest] = kept.keys();
  if (kept.size >= maxAnswers && oldest !== undefined) kept.delete(oldest);
  kept.set(key, { answer, end: performance.now() + keptMs });
}
