import { unref } from '@mcp/kit';
import type { EndSignal } from '@mcp/kit';

/** Replaces an `AbortController` and its signal for one request, because those take ten times as long. */
export class Cancellation implements EndSignal {
  readonly #listeners = new Set<() => void>();
  #aborted = false;

  get aborted(): boolean {
    return this.#aborted;
  }

  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.#aborted) this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }
}

/**
 * Calls `work` with a signal that aborts after `ms` milliseconds, or together with `outer`. Unlike
 * `AbortSignal.timeout`, leaves no timer behind, which would keep a finished request in memory.
 */
export async function withTimeout<T>(
  ms: number,
  work: (signal: EndSignal) => Promise<T>,
  outer?: EndSignal,
): Promise<T> {
  const signal = new Cancellation();
  const abort = () => signal.abort();
  const timer = unref(setTimeout(abort, ms));
  outer?.addEventListener('abort', abort, { once: true });
  if (outer?.aborted) abort();
  try {
    return await work(signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abort);
  }
}

/** Converts a signal into an `AbortSignal`, which functions of the platform need. */
export function platformSignal(signal: EndSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  signal.addEventListener('abort', () => controller.abort(), { once: true });
  if (signal.aborted) controller.abort();
  return controller.signal;
}
