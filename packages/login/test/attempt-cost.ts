import type { ScryptOptions } from 'node:crypto';

/** Replaces the cost of one attempt in most tests, which log in some hundred times. */
export const attemptCost: ScryptOptions = { N: 2 ** 10, r: 8, p: 1 };
