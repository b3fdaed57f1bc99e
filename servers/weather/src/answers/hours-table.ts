import type { FetchOptions } from '../backend/cache/upstream-document.ts';
import { Failure } from '../backend/errors.ts';
import { infoOf, type Measure } from '../backend/model/measures.ts';
import type { Moment } from '../backend/model/series.ts';
import type { Zone } from '../backend/model/time-zone.ts';
import { inUnit, unitOf, type UnitSystem } from '../backend/model/units.ts';
import { upcoming } from '../backend/model/upcoming.ts';
import type { Place } from '../backend/places/place.ts';
import { maxForecastDays, type WeatherService } from '../backend/weather-service.ts';
import { columnFacts } from '../text/values.ts';
import { type Answer, composeAnswer, memoizePerMinute, placeKeyOf, subjectOf } from './answer.ts';

/** Two local hours, `2026-11-20T06`, both included. */
export interface Interval {
  readonly first: string;
  readonly last: string;
}

/** What a table of hours covers. */
export interface HoursTableOptions {
  /** The number of days from today; ignored when there is an interval. */
  readonly days: number;
  readonly interval: Interval | undefined;
  readonly measures: readonly Measure[];
  readonly units: UnitSystem;
}

/** The requested hours of a forecast as a table with the requested columns. */
export async function hoursTableAnswer(
  weather: WeatherService,
  place: Place,
  { days, interval, measures, units }: HoursTableOptions,
  options: FetchOptions,
): Promise<Answer> {
  const fetched = await weather.forecast(place, interval ? maxForecastDays : days, options);
  const now = weather.clock.now();
  const key = `table ${placeKeyOf(place)} ${units} ${days} ${interval?.first} ${interval?.last} ${measures.join()}`;
  return memoizePerMinute(fetched, key, now, () => {
    const { series, stale, notes } = upcoming(fetched, now);
    const { zone } = series;
    const dates = new Set(series.days.slice(0, days).map(({ date }) => date));
    const hours = series.hours
      .filter(({ time }) => (interval ? isWithin(zone, time, interval) : dates.has(zone.dateAt(time))))
      .map(({ time, values }) => ({
        time,
        values: Object.fromEntries(measures.map((measure) => [measure, values[measure] ?? null])),
      }));
    if (hours.length === 0) throw noHours(series.hours, zone);
    const text = [header(measures, units), ...rows(hours, measures, units, zone)].join('\n');
    return composeAnswer(fetched, subjectOf(fetched, place, { stale, notes }), now, text, {
      hours: { time: hours.map(({ time }) => zone.textAt(time)), ...columnFacts(hours, units) },
    });
  });
}

function isWithin(zone: Zone, time: number, { first, last }: Interval): boolean {
  const hour = zone.textAt(time).slice(0, first.length);
  return hour >= first && hour <= last;
}

/** `hour, temperature °C, precipitation mm` */
function header(measures: readonly Measure[], units: UnitSystem): string {
  const columns = measures.map((measure) => {
    const { label, quantity } = infoOf(measure);
    return `${label} ${unitOf(quantity, units).label}`.trim();
  });
  return ['hour', ...columns].join(', ');
}

/** `14, 5.2, 0`, below a line with each date; an offset distinguishes repeated hours. */
function rows(
  hours: readonly Moment[],
  measures: readonly Measure[],
  units: UnitSystem,
  zone: Zone,
): string[] {
  let last = '';
  return hours.flatMap(({ time, values }) => {
    const date = zone.dateAt(time);
    const offset = zone.changesOn(date) ? ` ${zone.offsetTextAt(time)}` : '';
    const cells = measures.map((measure) => {
      const value = values[measure];
      return typeof value === 'number' ? inUnit(value, unitOf(infoOf(measure).quantity, units)) : '-';
    });
    const row = [`${zone.timeAt(time).replace(/:00$/, '')}${offset}`, ...cells].join(', ');
    if (date === last) return [row];
    last = date;
    return [date, row];
  });
}

function noHours(hours: readonly Moment[], zone: Zone): Failure {
  const [first, last] = [hours[0], hours.at(-1)];
  const known = first && last ? `${zone.textAt(first.time)} to ${zone.textAt(last.time)}` : 'none';
  return new Failure('no_data', `No data for these hours; known hours: ${known}`, { argument: 'hours' });
}
