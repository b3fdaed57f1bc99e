import type { Fetched } from '../cache/upstream-document.ts';
import { WeatherError } from '../errors.ts';
import type { Place } from '../places/place.ts';
import type { UnitSystem } from '../model/units.ts';
import { fewerDays, upcoming } from '../model/upcoming.ts';
import type { Day, Moment, Series, Spread } from '../model/series.ts';
import type { Zone } from '../model/time-zone.ts';
import { type Answer, composeAnswer, subjectOf } from './answer.ts';
import { astronomyOf } from '../text/astronomy.ts';
import { dayText, hourText } from '../text/day.ts';
import { dayFacts, hourFacts } from '../text/moment.ts';
import { emptyNotes } from '../text/values.ts';

export const maxHourlyDays = 7;

export interface ForecastOptions {
  readonly days: number;
  readonly hourly: boolean;
  readonly units: UnitSystem;
  /** Whether the forecast shows the length of each day and the phase of the moon; defaults to false. */
  readonly astronomy?: boolean | undefined;
}

export function forecastAnswer(
  fetched: Fetched<Series>,
  place: Place,
  {
    days,
    hourly,
    units,
    astronomy = false,
    spread,
  }: ForecastOptions & { readonly spread?: Spread | undefined },
  now: number,
): Answer {
  const { series, stale, notes } = upcoming(fetched, now);
  const shown = series.days.slice(0, days);
  const { zone } = series;
  const hours = hourly ? hoursOf(series, shown.slice(0, maxHourlyDays)) : [];
  const extrasOf = (day: Day) => ({
    ranges: spread?.days.get(day.date),
    astronomy: astronomy ? astronomyOf(day, zone, place) : undefined,
  });
  const more = [
    ...(spread?.notes ?? []),
    spread &&
      spread.models.length > 0 &&
      `The ranges show how far these models differ: ${spread.models.join(', ')}`,
    shown.length < days && fewerDays(shown.length, days),
    hourly &&
      shown.length > maxHourlyDays &&
      `Hours of the first ${maxHourlyDays} days only; request those of later days by date`,
  ].filter((note) => note !== false && note !== undefined);
  const text = [
    ...shown.map((day) => dayText(day, zone, units, extrasOf(day))),
    ...(hours.length > 0 ? ['', ...hourLines(hours, zone, units)] : []),
  ].join('\n');
  const all = [...notes, ...emptyNotes(shown, hours), ...more];
  return composeAnswer(fetched, subjectOf(fetched, place, { stale, notes: all }), now, text, {
    days: shown.map((day) => dayFacts(day, zone, units, extrasOf(day))),
    ...(hourly && { hours: hourFacts(hours, zone, units) }),
  });
}

/** One local day, hour by hour. Throws a `WeatherError` of kind `no_data` for a day without forecast. */
export function dayAnswer(
  fetched: Fetched<Series>,
  place: Place,
  { date, units }: { readonly date: string; readonly units: UnitSystem },
  now: number,
): Answer {
  const { zone } = fetched.model;
  const hours = fetched.model.hours.filter(({ time }) => zone.dateAt(time) === date);
  if (hours.length === 0) {
    const [first, last] = [fetched.model.hours[0], fetched.model.hours.at(-1)];
    const span =
      first && last
        ? `hours are known from ${zone.dateAt(first.time)} to ${zone.dateAt(last.time)}`
        : 'no hours are known';
    throw new WeatherError('no_data', `No hours of ${date}: ${span}`);
  }
  const subject = subjectOf(fetched, place, { notes: [...fetched.model.notes, ...emptyNotes(hours)] });
  const text = hourLines(hours, zone, units).join('\n');
  return composeAnswer(fetched, subject, now, text, { hours: hourFacts(hours, zone, units) });
}

function hoursOf({ hours, zone }: Series, days: readonly Day[]): readonly Moment[] {
  const dates = new Set(days.map(({ date }) => date));
  return hours.filter(({ time }) => dates.has(zone.dateAt(time)));
}

function hourLines(hours: readonly Moment[], zone: Zone, units: UnitSystem): string[] {
  const lines: string[] = [];
  let last = '';
  let changes = false;
  for (const hour of hours) {
    const date = zone.dateAt(hour.time);
    if (date !== last) {
      changes = zone.changesOn(date);
      lines.push(
        `${date}${changes ? ' (clocks change on this day)' : ''}, precipitation of the preceding hour`,
      );
      last = date;
    }
    lines.push(hourText(hour, zone, units, changes));
  }
  return lines;
}
