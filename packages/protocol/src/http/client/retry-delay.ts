import { type EndSignal, pause } from '@mcp/kit';

const defaultRetryMs = 1_000;
/** The minimum delay before a client reconnects: with `retry: 0`, it would reconnect without a pause. */
const minRetryMs = 100;

/** Waits for `retryMs` milliseconds (default 1,000, minimum 100), or until `signal` aborts. */
export function retryDelay(retryMs: number | undefined, signal: EndSignal): Promise<void> {
  return pause(Math.max(minRetryMs, retryMs ?? defaultRetryMs), { signal, unref: true });
}
