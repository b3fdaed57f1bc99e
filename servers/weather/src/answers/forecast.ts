import type { Ask, Read } from '../backend/cache/upstream-document.ts';
import { Failure, quoted } from '../backend/errors.ts';
import { mostForecastDays } from '../backend/weather-service.ts';
import { go, type Maybe } from '../backend/maybe-promise.ts';
import type { Place } from '../backend/places/place.ts';
import { type UnitSystem, unitSystems } from '../backend/model/units.ts';
import { ahead } from '../backend/model/upcoming.ts';
import type { Day, Moment, Series } from '../backend/model/series.ts';
import { checkDate, type Zone } from '../backend/model/time-zone.ts';
import type { Weather } from '../context.ts';
import { placeKeyOf, rendered, subjectOf } from './answer.ts';
import { dayText, hourText } from '../text/day.ts';
import { dayFacts, hourFacts } from '../text/moment.ts';
import { onceAMinute, type Rendered } from './rendered.ts';

/** How many days can be told hour by hour at once. */
export const mostHourlyDays = 7;

export interface ForecastWish {
  readonly days: number;
  readonly hourly: boolean;
  readonly units: UnitSystem;
}

/** The days ahead at a place, and their hours. */
export function forecastAnswer(
  weather: Weather,
  place: Place,
  wish: ForecastWish,
  ask: Ask,
): Maybe<Rendered> {
  const { forecasts } = weather;
  const { days, units } = wish;
  if (!(Number.isInteger(days) && days >= 1 && days <= mostForecastDays)) {
    throw new Failure('invalid_argument', `days is from 1 to ${mostForecastDays}, and not ${days}`, {
      argument: 'days',
    });
  }
  if (!(unitSystems as readonly string[]).includes(units)) {
    throw new Failure(
      'invalid_argument',
      `units is one of ${unitSystems.join(', ')}, and not ${quoted(units)}`,
      {
        argument: 'units',
      },
    );
  }
  return go(forecasts.forecast(place, days, ask), (read) => told(forecasts, read, place, wish));
}

function told(
  forecasts: Weather['forecasts'],
  read: Read<Series>,
  place: Place,
  { days, hourly, units }: ForecastWish,
): Rendered {
  const now = forecasts.clock.now();
  return onceAMinute(read, `${placeKeyOf(place)} ${units} ${days} ${hourly}`, now, () => {
    const { series, stale, notes } = ahead(read, now);
    const shown = series.days.slice(0, days);
    const { zone } = series;
    const hours = hourly ? hoursOf(series, shown.slice(0, mostHourlyDays)) : [];
    const more = [
      shown.length < days &&
        `The source has ${shown.length} day${shown.length === 1 ? '' : 's'} and not ${days}`,
      hourly &&
        shown.length > mostHourlyDays &&
        `Hours of the first ${mostHourlyDays} days; later ones are in weather://{place}/hourly/{date}`,
    ].filter((note) => note !== false);
    const text = [
      ...shown.map((day) => dayText(day, zone, units)),
      ...(hours.length > 0 ? ['', ...hourLines(hours, zone, units)] : []),
    ].join('\n');
    return rendered(read, subjectOf(read, place, { stale, notes: [...notes, ...more] }), now, text, {
      days: shown.map((day) => dayFacts(day, zone, units)),
      ...(hourly && { hours: hourFacts(hours, zone, units) }),
    });
  });
}

/** One local day, hour by hour. */
export async function hourlyAnswer(
  weather: Weather,
  place: Place,
  date: string,
  units: UnitSystem,
  ask: Ask,
): Promise<Rendered> {
  const { forecasts } = weather;
  checkDate(date);
  const read = await forecasts.forecast(place, mostForecastDays, ask);
  const now = forecasts.clock.now();
  return onceAMinute(read, `${placeKeyOf(place)} ${units} ${date}`, now, () => {
    const { zone } = read.model;
    const hours = read.model.hours.filter(({ time }) => zone.dateAt(time) === date);
    if (hours.length === 0) {
      const [first, last] = [read.model.hours[0], read.model.hours.at(-1)];
      const span =
        first && last
          ? `there are hours from ${zone.dateAt(first.time)} to ${zone.dateAt(last.time)}`
          : 'there are no hours';
      throw new Failure('no_data', `No hours of ${date} are known: ${span}`);
    }
    return rendered(read, subjectOf(read, place), now, hourLines(hours, zone, units).join('\n'), {
      hours: hourFacts(hours, zone, units),
    });
  });
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
        `${date}${changes ? ' (clocks change on this day)' : ''}, precipitation is of the hour before`,
      );
      last = date;
    }
    lines.push(hourText(hour, zone, units, changes));
  }
  return lines;
}
