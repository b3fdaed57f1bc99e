import { setTimeout } from 'node:timers/promises';

/** A clock: the time in milliseconds since 1970, and a pause that a signal can end. */
export interface Clock {
  readonly now: () => number;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  pause: (ms, signal) => setTimeout(ms, undefined, { signal }),
};
