import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';

/** File systems stamp times by a clock that ticks every 1 to 16 ms. */
const tickMs = 20;

let undecided = 0;

/**
 * What tells one absence of a file from the next. Something that came and went between two looks may have been
 * read by a subscriber meanwhile, who then has to hear that it is gone: its directory remembers.
 */
export function absenceOf(path: string): string {
  for (let at = dirname(path); ; at = dirname(at)) {
    const stats = lstatSync(at, { bigint: true, throwIfNoEntry: false });
    if (!stats && at !== dirname(at)) continue;
    if (!stats) return 'missing';
    const isYoung = Date.now() - Number(stats.ctimeNs / 1_000_000n) < tickMs;
    return `missing from ${stats.dev}:${stats.ino} ${stats.ctimeNs}${isYoung ? ` unsettled ${++undecided}` : ''}`;
  }
}
