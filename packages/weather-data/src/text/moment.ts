import type { UnitSystem } from '../model/units.ts';
import type { Day, Moment } from '../model/series.ts';
import type { Zone } from '../model/time-zone.ts';
import type { Facts } from './provenance.ts';
import { columnFacts, conditionFact, valueFacts } from './values.ts';

export function dayFacts(day: Day, zone: Zone, units: UnitSystem): Facts {
  const { date, values, sunrise, sunset, sun, incomplete } = day;
  return {
    date,
    condition: conditionFact(day),
    ...valueFacts(values, units),
    ...(sunrise !== null && { sunrise: zone.textAt(sunrise) }),
    ...(sunset !== null && { sunset: zone.textAt(sunset) }),
    ...(sun && { sun }),
    ...(incomplete !== undefined && { incomplete }),
  };
}

export function hourFacts(hours: readonly Moment[], zone: Zone, units: UnitSystem): Facts {
  return {
    time: hours.map(({ time }) => zone.textAt(time)),
    condition: hours.map(conditionFact),
    ...columnFacts(hours, units),
  };
}
