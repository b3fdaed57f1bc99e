const defaultRetryMs = 1_000;
/** A server may not have its clients come back without a pause, nor only tomorrow. */
const minRetryMs = 100;
const maxRetryMs = 60_000;

/** Waits as long as the server wants, within bounds, or until `signal` aborts. */
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
