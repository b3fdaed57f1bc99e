import { airBand, airMeasures } from './backend/air.ts';
import type { Ask, Read } from './backend/document.ts';
import { Failure, quoted } from './backend/failure.ts';
import { mostForecastDays } from './backend/forecasts.ts';
import { type Place, placeKey } from './backend/place.ts';
import { inUnit, unitOf, type UnitSystem } from './backend/units.ts';
import { ahead } from './backend/view.ts';
import type { Day, Moment, Series } from './backend/weather.ts';
import { addDays, isDate, type Zone } from './backend/zone.ts';
import type { Weather } from './context.ts';
import { dayText, hourText } from './day-text.ts';
import { type Facts, provenanceFacts, provenanceText, type Subject, subjectText } from './provenance.ts';
import { onceAMinute, type Rendered } from './rendered.ts';
import { conditionFact, conditionText, columnFacts, labelled, valueFacts, windText } from './values.ts';

/** How many days can be told hour by hour at once. */
export const mostHourlyDays = 7;

export interface ForecastWish {
  readonly days: number;
  readonly hourly: boolean;
  readonly units: UnitSystem;
}

/** The weather at a place now. */
export async function currentAnswer(
  { forecasts }: Weather,
  place: Place,
  units: UnitSystem,
  ask: Ask,
): Promise<Rendered> {
  const read = await forecasts.current(place, ask);
  const now = forecasts.clock.now();
  return onceAMinute(read, `${placeKeyOf(place)} ${units}`, now, () => {
    const { current, zone } = read.model;
    if (!current) throw new Failure('no_data', 'The source says nothing of the weather now');
    const text = [
      `${zone.textAt(current.time)} ${conditionText(current)}`,
      ...labelled(current.values, ['temperature', 'feelsLike', 'dewPoint', 'humidity'], units),
      ...labelled(current.values, ['precipitation'], units).map((value) => `${value} in the hour before`),
      windText(current.values, units),
      ...labelled(current.values, ['cloudCover', 'pressure', 'visibility', 'snowDepth'], units),
    ].join(', ');
    const old = now / 1000 - current.time > oldObservation && !read.sample;
    return rendered(read, subjectOf(read, place, { stale: read.stale || old }), now, text, {
      current: { ...momentFacts(current, zone), ...valueFacts(current.values, units) },
    });
  });
}

/** What was observed or analysed longer ago than this is not "now" any more, in seconds. */
const oldObservation = 3 * 3600;

/** The days ahead at a place, and their hours. */
export async function forecastAnswer(
  weather: Weather,
  place: Place,
  wish: ForecastWish,
  ask: Ask,
): Promise<Rendered> {
  const { forecasts } = weather;
  const { days, hourly, units } = wish;
  if (!(Number.isInteger(days) && days >= 1 && days <= mostForecastDays)) {
    throw new Failure('invalid_argument', `days is from 1 to ${mostForecastDays}, and not ${days}`, {
      argument: 'days',
    });
  }
  const read = await forecasts.forecast(place, days, ask);
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

/** Days that are over. */
export async function historyAnswer(
  weather: Weather,
  place: Place,
  { start, end, units }: { start: string; end: string; units: UnitSystem },
  ask: Ask,
): Promise<Rendered> {
  const { forecasts } = weather;
  const read = await forecasts.history(place, start, end, ask);
  const now = forecasts.clock.now();
  return onceAMinute(read, `${placeKeyOf(place)} ${units} ${start} ${end}`, now, () => {
    const { zone } = read.model;
    const days = read.model.days.filter(({ date }) => date >= start && date <= end);
    const wanted = datesFrom(start, end);
    const missing = wanted.filter((date) => !days.some((day) => day.date === date));
    const notes = missing.length > 0 ? [`Nothing is known of ${listed(missing)}`] : [];
    const text = days.map((day) => dayText(day, zone, units)).join('\n');
    if (days.length === 0)
      throw new Failure(
        'no_data',
        `Nothing is known of ${start === end ? start : `${start} to ${end}`}. ${read.model.notes.join('. ')}`.trim(),
      );
    return rendered(read, subjectOf(read, place, { notes: [...read.model.notes, ...notes] }), now, text, {
      days: days.map((day) => dayFacts(day, zone, units)),
    });
  });
}

/** The air at a place now. */
export async function airAnswer({ forecasts }: Weather, place: Place, ask: Ask): Promise<Rendered> {
  const read = await forecasts.airQuality(place, ask);
  const now = forecasts.clock.now();
  return onceAMinute(read, placeKeyOf(place), now, () => {
    const { time, zone, values, grid, notes } = read.model;
    const known = Object.entries(values).filter(([, value]) => value !== null);
    const unknown = Object.entries(values).filter(([, value]) => value === null);
    const lines = known.map(([name, value]) => airText(name, value!));
    if (known.length === 0) lines.push('No data for this place');
    else if (unknown.length > 0)
      lines.push(`no data: ${unknown.map(([name]) => airMeasures[name]!.label).join(', ')}`);
    const subject: Subject = { place, grid, zone: zone.name, issuedAt: null, stale: read.stale, notes };
    const facts = {
      air: {
        time: zone.textAt(time),
        ...Object.fromEntries(Object.entries(values).flatMap(([name, value]) => airFacts(name, value))),
      },
    };
    return rendered(read, subject, now, [zone.textAt(time), ...lines].join('\n'), facts);
  });
}

/** Puts the parts of an answer together. */
export function rendered(
  read: Read<unknown>,
  subject: Subject,
  now: number,
  text: string,
  core: Facts,
): Rendered {
  const heading = subject.place ? [subjectText(subject.place, subject.zone)] : [];
  return {
    text: [...heading, text, '', provenanceText(read, subject, now)].join('\n'),
    facts: { ...core, ...provenanceFacts(read, subject, now) },
    core,
  };
}

export function checkDate(date: string): void {
  if (!isDate(date))
    throw new Failure('invalid_argument', `A date is written as 2026-11-20, and not ${quoted(date)}`, {
      argument: 'date',
    });
}

function subjectOf({ model, stale }: Read<Series>, place: Place, more: Partial<Subject> = {}): Subject {
  const { grid, zone, elevation, issuedAt, notes } = model;
  return { place, grid, zone: zone.name, elevation, issuedAt, stale, notes, ...more };
}

/** Two names of one place are two answers: each says how it was asked for. */
function placeKeyOf(place: Place): string {
  return `${placeKey(place)} ${place.saved ?? ''} ${place.name ?? ''} ${place.notes?.length ?? 0}`;
}

function momentFacts(moment: Moment, zone: Zone): Facts {
  return { time: zone.textAt(moment.time), condition: conditionFact(moment) };
}

function dayFacts(day: Day, zone: Zone, units: UnitSystem): Facts {
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

function hourFacts(hours: readonly Moment[], zone: Zone, units: UnitSystem): Facts {
  return {
    time: hours.map(({ time }) => zone.textAt(time)),
    condition: hours.map(conditionFact),
    ...columnFacts(hours, units),
  };
}

function airText(name: string, value: number): string {
  const { label, quantity } = airMeasures[name]!;
  const unit = unitOf(quantity, 'metric');
  const band = airBand(name, value);
  return `${label} ${inUnit(value, unit)}${unit.label === '' ? '' : ` ${unit.label}`}${band === undefined ? '' : ` (${band})`}`;
}

function airFacts(name: string, value: number | null): [string, unknown][] {
  const unit = unitOf(airMeasures[name]!.quantity, 'metric');
  const camel = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) + unit.suffix;
  if (value === null) return [[camel, null]];
  const band = airBand(name, value);
  return [
    [camel, inUnit(value, unit)],
    ...(band === undefined ? [] : ([[`${camel}Band`, band]] as [string, unknown][])),
  ];
}

function datesFrom(start: string, end: string): string[] {
  const dates: string[] = [];
  for (let date = start; date <= end; date = addDays(date, 1)) dates.push(date);
  return dates;
}

function listed(dates: readonly string[]): string {
  return dates.length > 5 ? `${dates.length} days from ${dates[0]} to ${dates.at(-1)}` : dates.join(', ');
}
