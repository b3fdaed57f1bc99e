import type { ScryptOptions } from 'node:crypto';

/** The cost of one attempt: 32 MiB of memory, and some tenths of a second. */
export const attemptCost: ScryptOptions = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
