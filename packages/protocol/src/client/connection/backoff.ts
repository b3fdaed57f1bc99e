/** The first and the longest delay between attempts, in milliseconds. */
export interface Backoff {
  readonly minMs: number;
  readonly maxMs: number;
}

export const defaultBackoff: Backoff = { minMs: 500, maxMs: 30_000 };

/**
 * Waits before attempt `attempt` (from 1), or until `signal` aborts. The delay doubles with each attempt and
 * varies at random by up to a half.
 */
export function backOff({ minMs, maxMs }: Backoff, attempt: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(maxMs, minMs * 2 ** (attempt - 1)) * (0.5 + Math.random());
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
