import type { UnitSystem } from '../model/units.ts';
import type { Day, Moment, Ranges } from '../model/series.ts';
import type { Zone } from '../model/time-zone.ts';
import type { Facts } from './provenance.ts';
import type { Astronomy } from './astronomy.ts';
import { columnFacts, conditionFact, rangeFacts, valueFacts } from './values.ts';

/** Optional facts of a day: the ranges of several models; the length of the day and the phase of the moon. */
export interface DayExtras {
  readonly ranges?: Ranges | undefined;
  readonly astronomy?: Astronomy | undefined;
}

export function dayFacts(
  day: Day,
  zone: Zone,
  units: UnitSystem,
  { ranges, astronomy }: DayExtras = {},
): Facts {
  const { date, values, sunrise, sunset, sun, incomplete } = { ...day, ...astronomy?.sun };
  return {
    date,
    condition: conditionFact(day),
    ...valueFacts(values, units),
    ...(sunrise !== null && { sunrise: zone.textAt(sunrise) }),
    ...(sunset !== null && { sunset: zone.textAt(sunset) }),
    ...(sun && { sun }),
    ...(incomplete !== undefined && { incomplete }),
    ...(ranges && { models: rangeFacts(ranges, units) }),
    ...(astronomy && {
      dayLengthMinutes: astronomy.minutes,
      moonPhase: astronomy.phase,
      moonLitPercent: astronomy.lit,
    }),
  };
}

/** Returns lists about quarters of an hour. `until` has the time at which each quarter ends. */
export function quarterFacts(quarters: readonly Moment[], zone: Zone, units: UnitSystem): Facts {
  return { until: quarters.map(({ time }) => zone.textAt(time)), ...columnFacts(quarters, units) };
}

export function hourFacts(hours: readonly Moment[], zone: Zone, units: UnitSystem): Facts {
  return {
    time: hours.map(({ time }) => zone.textAt(time)),
    condition: hours.map(conditionFact),
    ...columnFacts(hours, units),
  };
}
