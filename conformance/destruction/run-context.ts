import type { RedisStore } from '@mcp/redis';
import type { Ledger } from './ledger.ts';
import type { Random } from './random.ts';

/** What the clients of a run have in common. */
export interface RunContext {
  readonly url: string;
  readonly ledger: Ledger;
  readonly random: Random;
  /** Reads what Redis has stored. */
  readonly store: RedisStore;
  /** Names of all streams of Redis whose name ends with a text. */
  readonly streamsEndingWith: (end: string) => Promise<readonly string[]>;
  /** The version that the newest replicas tell. */
  readonly version: () => string;
  /** Aborts when no new work is to begin. */
  readonly ended: AbortSignal;
}

/** Errors that a client may get while replicas or Redis are gone: each says to send the request again. */
const retryable =
  /send the request again|try again|is closing|ended without a response|does not resume it|fetch failed|terminated|socket|ECONN|EPIPE|other side closed|HTTP 50[234]/;

export function saysToRetry(message: string): boolean {
  return retryable.test(message);
}

export type Message = {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly [name: string]: unknown };
  readonly result?: { readonly [name: string]: unknown };
  readonly error?: { readonly message: string };
};

/** The text of an error with its causes: `fetch` says the reason in its cause. */
export function textOfError(error: unknown): string {
  return error instanceof Error
    ? `${error.message}${error.cause === undefined ? '' : `: ${textOfError(error.cause)}`}`
    : String(error);
}

/** The text of the result of a tool. */
export function textIn({ result }: Message): string | undefined {
  const [block] = (result?.['content'] ?? []) as readonly { readonly text?: string }[];
  return block?.text;
}
