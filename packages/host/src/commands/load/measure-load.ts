import { setImmediate } from 'node:timers/promises';
import { messageOf } from '@mcp/kit';

/** What calls of a tool took, and how they failed. */
export interface Load {
  readonly seconds: number;
  /** Milliseconds of each call that succeeded, in ascending order. */
  readonly times: Float64Array;
  /** How many calls failed, by message. */
  readonly errors: ReadonlyMap<string, number>;
}

export interface LoadOptions {
  readonly concurrency: number;
  readonly durationMs: number;
  /** Ends the measurement early; the calls in progress are not counted. */
  readonly signal: AbortSignal;
}

/** Maximum number of different messages that are counted apart: a message may have an id or a time. */
const maxMessages = 20;

/** Calls again and again, `concurrency` calls at a time, until the time is over. */
export async function measureLoad(
  call: () => Promise<unknown>,
  { concurrency, durationMs, signal }: LoadOptions,
): Promise<Load> {
  const times: number[] = [];
  const errors = new Map<string, number>();
  const started = performance.now();
  const worker = async () => {
    while (!signal.aborted && performance.now() - started < durationMs) {
      const began = performance.now();
      try {
        await call();
        if (!signal.aborted) times.push(performance.now() - began);
      } catch (error) {
        if (!signal.aborted) count(errors, messageOf(error));
        // Calls that fail at once must not keep the process from its signals.
        await setImmediate();
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const seconds = (performance.now() - started) / 1_000;
  return { seconds, times: Float64Array.from(times).toSorted(), errors };
}

function count(errors: Map<string, number>, message: string): void {
  const key = errors.has(message) || errors.size < maxMessages ? message : 'other messages';
  errors.set(key, (errors.get(key) ?? 0) + 1);
}

/** The time within which this part of the calls was answered; undefined without calls. */
export function percentile(times: Float64Array, part: number): number | undefined {
  return times[Math.max(0, Math.ceil(part * times.length) - 1)];
}
