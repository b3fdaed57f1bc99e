import type { Fetched } from '../cache/upstream-document.ts';
import { WeatherError } from '../errors.ts';
import { infoOf, marineMeasures, type Measure, type Values } from '../model/measures.ts';
import type { Moment, Series } from '../model/series.ts';
import type { Zone } from '../model/time-zone.ts';
import { inUnit, unitOf, type UnitSystem } from '../model/units.ts';
import { fewerDays, isOver, upcoming } from '../model/upcoming.ts';
import type { Place } from '../places/place.ts';
import { columnFacts, emptyNotes } from '../text/values.ts';
import { type Answer, composeAnswer, subjectOf } from './answer.ts';
import { fitting } from './fitting.ts';
import { missingHours, notesOnMissing } from './missing-hours.ts';

/** A span of local hours from `first` to `last`, both included, such as `2026-11-20T06`. */
interface Span {
  readonly first: string;
  readonly last: string;
}

/** Local hours to return: with their dates or, if `daily` is true, as hours of each day, such as `06`. */
export interface Interval extends Span {
  readonly daily: boolean;
}

export interface HoursTableOptions {
  /** The number of days from today; ignored if `interval` contains dates. */
  readonly days: number;
  readonly interval: Interval | undefined;
  readonly measures: readonly Measure[];
  readonly units: UnitSystem;
}

/** The hours of a table, and the source that they come from. */
export interface HoursTable {
  readonly fetched: Fetched<Series>;
  readonly zone: Zone;
  readonly hours: readonly Moment[];
  readonly stale: boolean;
  readonly notes: readonly string[];
}

/** The answer with the requested hours of a forecast as a table, with a column for each measure. */
export function hoursTableAnswer(
  sources: readonly Fetched<Series>[],
  place: Place,
  table: HoursTableOptions,
  now: number,
): Answer {
  const { measures, units } = table;
  const { fetched, hours: all, zone, stale, notes } = hoursOf(sources, table, now);
  const hours = fitting(all, () => maxTimeLength + measures.length * maxCellLength);
  const next = all[hours.length];
  const rest = next ? [cutText(hours, all, table, zone)] : [];
  const text = [header(measures, units), ...rows(hours, measures, units, zone), ...rest].join('\n');
  return composeAnswer(fetched, subjectOf(fetched, place, { stale, notes }), now, text, {
    hours: { time: hours.map(({ time }) => zone.textAt(time)), ...columnFacts(hours, units) },
    ...(next && { nextHour: zone.textAt(next.time) }),
  });
}

/** Maximum number of characters of a time in a table's JSON, with its separator. */
const maxTimeLength = 28;
/** Maximum number of characters of a value in a table's JSON, with its separator. */
const maxCellLength = 9;

/** Says how many of all hours a table has, and how to get the others. */
function cutText(
  hours: readonly Moment[],
  all: readonly Moment[],
  { interval }: HoursTableOptions,
  zone: Zone,
): string {
  const hourOf = ({ time }: Moment) => zone.textAt(time).slice(0, 'yyyy-mm-ddThh'.length);
  const way = interval?.daily
    ? 'name fewer measures'
    : `continue with hours ${hourOf(all[hours.length]!)}/${hourOf(all.at(-1)!)}, or name fewer measures`;
  return `${hours.length} of ${all.length} hours; ${way}`;
}

/** Whether a measure describes the sea, such as the height of waves. The marine forecast has it. */
export function isMarine(measure: Measure): boolean {
  return (marineMeasures as readonly Measure[]).includes(measure);
}

/** Selects the requested hours from the weather forecast, from the marine forecast, or from both. */
export function hoursOf(
  sources: readonly Fetched<Series>[],
  { days, interval, measures }: HoursTableOptions,
  now: number,
): HoursTable {
  const parts = sources.map((source) => upcoming(source, now));
  const { zone } = parts[0]!.series;
  // If the caller named an interval, the table also contains hours of it that are in the past.
  const all = joined(interval ? sources.map(({ model }) => model) : parts.map(({ series }) => series));
  const dates = datesOf(all, zone, now).slice(0, days);
  const span = interval && !interval.daily ? interval : spanOf(dates, interval);
  const named = all
    .filter(({ time }) => span && isWithin(zone.textAt(time), span))
    .filter(({ time }) => !interval?.daily || isWithin(zone.timeAt(time), interval));
  const hours = named.map(({ time, values: each }) => ({
    time,
    values: Object.fromEntries(measures.map((measure) => [measure, each[measure] ?? null])),
  }));
  const missing = interval && span ? missingIn(span, { all, interval, zone }) : [];
  if (hours.length === 0) throw noHours(all, zone, missing);
  const isInland = measures
    .filter(isMarine)
    .every((measure) => hours.every(({ values: each }) => each[measure] === null));
  return {
    fetched: sources[0]!,
    zone,
    hours,
    stale: parts.some(({ stale }) => stale),
    notes: [
      ...new Set(parts.flatMap(({ notes }) => notes)),
      ...(isInland && measures.some(isMarine) ? ['No data of the sea: the place is not at the sea'] : []),
      ...emptyNotes(isInland ? hours.map(withoutSea) : hours),
      ...(interval?.daily === false || dates.length === days ? [] : [fewerDays(dates.length, days)]),
      ...missing,
      ...(interval && span ? notesOnSpan(span, { all, hours, zone, now }) : []),
    ],
  };
}

/** Merges the hours of several series: an hour gets the values that any series has for it. */
function joined(series: readonly Series[]): readonly Moment[] {
  const values = new Map<number, Values>();
  for (const { time, values: more } of series.flatMap(({ hours }) => hours)) {
    values.set(time, { ...values.get(time), ...more });
  }
  return [...values].map(([time, each]) => ({ time, values: each })).toSorted((a, b) => a.time - b.time);
}

/** Returns the local dates of the hours from today on, or all dates if the whole forecast is in the past. */
function datesOf(hours: readonly Moment[], zone: Zone, now: number): readonly string[] {
  const dates = [...new Set(hours.map(({ time }) => zone.dateAt(time)))];
  const today = zone.dateAt(now / 1000);
  return dates.at(-1)! < today ? dates : dates.filter((date) => date >= today);
}

/**
 * Returns the span from the first date to the last: whole days or, if `interval` is given, from its first
 * hour on the first date to its last hour on the last date.
 */
function spanOf(dates: readonly string[], interval: Interval | undefined): Span | undefined {
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { first: `${first}T${interval?.first ?? '00'}`, last: `${last}T${interval?.last ?? '23'}` };
}

/** Returns notes on requested hours that are missing although the source has earlier and later hours. */
function missingIn(
  span: Span,
  { all, interval, zone }: { all: readonly Moment[]; interval: Interval; zone: Zone },
): readonly string[] {
  const known = all.map(({ time }) => zone.textAt(time).slice(0, 'yyyy-mm-ddThh'.length));
  const [first = '', last = ''] = [known[0], known.at(-1)];
  const missing = missingHours(
    span.first > first ? span.first : first,
    span.last < last ? span.last : last,
    new Set(known),
  ).filter((hour) => !interval.daily || isWithin(hour.slice('yyyy-mm-ddT'.length), interval));
  return notesOnMissing(missing, zone);
}

/** Returns notes if requested hours are in the past, or before or after the hours of the source. */
function notesOnSpan(
  span: Span,
  {
    all,
    hours,
    zone,
    now,
  }: Pick<HoursTable, 'hours' | 'zone'> & { readonly all: readonly Moment[]; readonly now: number },
): readonly string[] {
  const text = (time: number) => `${zone.dateAt(time)} ${zone.timeAt(time)}`;
  const [first, last] = [all[0]!.time, all.at(-1)!.time];
  const present = all.find(({ time }) => !isOver(time, now))?.time;
  return [
    span.first < zone.textAt(first).slice(0, span.first.length) && `No data for hours before ${text(first)}`,
    span.last > zone.textAt(last).slice(0, span.last.length) && `No data for hours after ${text(last)}`,
    present !== undefined &&
      hours.some(({ time }) => isOver(time, now)) &&
      `The hours before ${text(present)} are over`,
  ].filter((note) => note !== false);
}

/**
 * Whether a time is in a span. It is cut to the length of `first`, so that `06:45` is within the hour `06`.
 */
function isWithin(time: string, { first, last }: Span): boolean {
  const hour = time.slice(0, first.length);
  return hour >= first && hour <= last;
}

function withoutSea({ time, values }: Moment): Moment {
  const rest = Object.entries(values).filter(([measure]) => !isMarine(measure as Measure));
  return { time, values: Object.fromEntries(rest) };
}

/** The first line of a table, such as `hour, temperature °C, precipitation mm`. */
function header(measures: readonly Measure[], units: UnitSystem): string {
  const columns = measures.map((measure) => {
    const { label, quantity } = infoOf(measure);
    return `${label} ${unitOf(quantity, units).label}`.trim();
  });
  return ['hour', ...columns].join(', ');
}

/** Returns lines such as `14, 5.2, 0`. If the clocks change, UTC offsets tell equal hours apart. */
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

function noHours(hours: readonly Moment[], zone: Zone, missing: readonly string[]): WeatherError {
  const [first, last] = [hours[0], hours.at(-1)];
  const known = first && last ? `${zone.textAt(first.time)} to ${zone.textAt(last.time)}` : 'none';
  const reason = missing.length > 0 ? missing.join('; ') : 'No data for these hours';
  return new WeatherError('no_data', `${reason}; known hours: ${known}`, { argument: 'hours' });
}
