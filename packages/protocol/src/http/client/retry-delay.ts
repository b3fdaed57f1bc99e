const defaultRetryMs = 1_000;
/** A server may not have its clients come back without a pause. */
const minRetryMs = 100;
/** The longest time that a timer can wait. */
const maxRetryMs = 2 ** 31 - 1;

/** Waits as long as the server wants, at least 100 ms, or until `signal` aborts. */
export function retryDelay(retryMs: number | undefined, signal: AbortSignal): Promise<void> {
  const ms = Math.min(maxRetryMs, Math.max(minRetryMs, retryMs ?? defaultRetryMs));
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    timer.unref();
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
