/** The members of an `AbortSignal` that the functions here use. */
export interface EndSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface WaitOptions {
  /** When this signal aborts, the wait ends. */
  readonly signal?: EndSignal | undefined;
  /** Whether the process may exit before the deadline; by default the timer keeps the process alive. */
  readonly unref?: boolean;
}

/** Lets the process end before a timer fires. In browsers, where timers are numbers, it does nothing. */
export function unref(timer: NodeJS.Timeout): NodeJS.Timeout {
  (timer as Partial<NodeJS.Timeout>).unref?.();
  return timer;
}

/** The longest delay of a timer, in milliseconds. A timer with a longer one would fire at once. */
export const maxDelayMs = 2 ** 31 - 1;

/**
 * Waits for `work`, for at most `ms` milliseconds or until the signal aborts. Resolves to the result of
 * `work`, or to undefined if `work` has not ended by then. Rejects if `work` rejects before.
 */
export function within<T>(ms: number, work: Promise<T>, options: WaitOptions = {}): Promise<T | undefined> {
  const { signal } = options;
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    };
    const end = () => {
      stop();
      resolve(undefined);
    };
    const timer = setTimeout(end, Math.min(Math.max(0, ms), maxDelayMs));
    if (options.unref) unref(timer);
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
    work.finally(stop).then(resolve, reject);
  });
}

/** Waits for `ms` milliseconds, or until the signal aborts. */
export async function pause(ms: number, options?: WaitOptions): Promise<void> {
  await within(ms, new Promise(() => {}), options);
}

/**
 * Waits for `work`. If the signal aborts first, rejects with the abort's reason, but does not stop the work.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** The first and the longest delay between attempts, in milliseconds. */
export interface Backoff {
  readonly minMs: number;
  readonly maxMs: number;
}

/**
 * Waits before an attempt (the first is 1), or until the signal aborts. The delay begins with `minMs`,
 * doubles with each attempt up to `maxMs`, and varies at random by up to a half.
 */
export function backOff({ minMs, maxMs }: Backoff, attempt: number, options?: WaitOptions): Promise<void> {
  return pause(Math.min(maxMs, minMs * 2 ** (attempt - 1)) * (0.5 + Math.random()), options);
}
