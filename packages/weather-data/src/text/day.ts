import type { UnitSystem } from '../model/units.ts';
import { inUnit, unitOf } from '../model/units.ts';
import type { Day, Moment } from '../model/series.ts';
import { weekday, type Zone } from '../model/time-zone.ts';
import { astronomyText } from './astronomy.ts';
import type { DayExtras } from './moment.ts';
import { conditionText, valueTexts, rangesText, windText } from './values.ts';

/** Returns a day as a line: `Fri 2026-11-20: Slight rain, 2.6 to 5.2 °C, precipitation 2.4 mm …` */
export function dayText(
  day: Day,
  zone: Zone,
  units: UnitSystem,
  { ranges, astronomy }: DayExtras = {},
): string {
  const { values } = day;
  return [
    `${weekday(day.date)} ${day.date}: ${conditionText(day)}`,
    rangeText(day, units),
    ...valueTexts(values, ['precipitation', 'snowfall', 'precipitationChance'], units).filter(isMentioned),
    values.windSpeed !== undefined && `${windText(values, units)}`.replace(/^wind (?=\d)/, 'wind up to '),
    ...valueTexts(values, ['uvIndex'], units),
    sunText({ ...day, ...astronomy?.sun }, zone),
    astronomy && astronomyText(astronomy),
    ranges && rangesText(ranges, units),
    day.incomplete !== undefined && `(only ${day.incomplete} known)`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** An hour as a line: `02:00 +01:00 Clear sky, …`. The offset distinguishes an hour that occurs twice. */
export function hourText(hour: Moment, zone: Zone, units: UnitSystem, withOffset: boolean): string {
  const { values } = hour;
  return [
    `${zone.timeAt(hour.time)}${withOffset ? ` ${zone.offsetTextAt(hour.time)}` : ''} ${conditionText(hour)}`,
    ...valueTexts(values, ['temperature'], units).map((text) => text.replace('temperature ', '')),
    ...valueTexts(values, ['feelsLike', 'precipitation', 'snowfall', 'precipitationChance'], units).filter(
      isMentioned,
    ),
    windText(values, units),
  ].join(', ');
}

/** Whether a text about a value is worth showing: snowfall of 0 is not. */
function isMentioned(text: string): boolean {
  return !text.startsWith('snowfall 0 ');
}

function rangeText({ values }: Day, units: UnitSystem): string | false {
  const { temperatureMin: low, temperatureMax: high } = values;
  if (low === undefined && high === undefined) return false;
  const unit = unitOf('temperature', units);
  const text = (value: number | null | undefined) =>
    typeof value === 'number' ? String(inUnit(value, unit)) : 'no data';
  if (typeof low !== 'number' && typeof high !== 'number') return 'temperature no data';
  return `${text(low)} to ${text(high)} ${unit.label}`;
}

function sunText({ sunrise, sunset, sun }: Day, zone: Zone): string | false {
  if (sun) return `sun ${sun}`;
  if (sunrise === null || sunset === null) return false;
  return `sun ${zone.timeAt(sunrise)} to ${zone.timeAt(sunset)}`;
}
