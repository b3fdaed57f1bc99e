import { extentOf, scaleOf } from '@mcp/views/model';
import type { Day } from './weather.ts';

/**
 * The place of each day between the lowest and the highest temperature of all: from 0 to 100. Undefined for
 * a day whose temperatures are unknown.
 */
export function dayRanges(
  days: readonly Day[],
): readonly ({ readonly from: number; readonly to: number } | undefined)[] {
  const all = extentOf(days.flatMap(({ low, high }) => [low, high])) ?? [0, 1];
  const place = scaleOf(all, 0, 100);
  return days.map(({ low, high }) =>
    low === null || high === null ? undefined : { from: place(low), to: place(high) },
  );
}
