/** Milliseconds before the first and the longest wait between attempts. */
export interface Backoff {
  readonly minMs: number;
  readonly maxMs: number;
}

export const defaultBackoff: Backoff = { minMs: 500, maxMs: 30_000 };

/**
 * Waits before attempt `attempt` (from 1), or until `signal` aborts: twice as long each time, up to a half more or less
 * at random.
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
