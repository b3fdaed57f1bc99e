import { setTimeout } from 'node:timers/promises';

/** What time it is, for whoever waits: milliseconds since 1970, and a wait that a signal ends. */
export interface Clock {
  readonly now: () => number;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The system's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  pause: (ms, signal) => setTimeout(ms, undefined, { signal }),
};
