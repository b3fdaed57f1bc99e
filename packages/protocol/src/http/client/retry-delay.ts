import type { CancelSignal } from './cancellation.ts';
import { unref } from '../../platform/unref.ts';

const defaultRetryMs = 1_000;
/** The minimum, as a server may send `retry: 0`. */
const minRetryMs = 100;
/** The maximum delay of a timer. */
const maxRetryMs = 2 ** 31 - 1;

/** Waits for `retryMs`, at least 100 ms, or until `signal` aborts. */
export function retryDelay(retryMs: number | undefined, signal: CancelSignal): Promise<void> {
  const ms = Math.min(maxRetryMs, Math.max(minRetryMs, retryMs ?? defaultRetryMs));
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    unref(timer);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
