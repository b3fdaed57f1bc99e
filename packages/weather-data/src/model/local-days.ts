import { infoOf, type Measure, type Values } from './measures.ts';
import type { Day, Moment } from './series.ts';
import { type Zone } from './time-zone.ts';

interface LocalDaysOptions {
  readonly zone: Zone;
  /** The UTC offset, in seconds, that the upstream used for the midnights of all days. */
  readonly offset: number;
  readonly notes: Set<string>;
}

/** For each measure of a day, how its value is computed from the values of the hours. */
const daily: { readonly [M in Measure]?: (values: readonly number[]) => number } = {
  temperatureMax: (values) => Math.max(...values),
  temperatureMin: (values) => Math.min(...values),
  precipitation: sum,
  snowfall: sum,
  precipitationChance: (values) => Math.max(...values),
  windSpeed: (values) => Math.max(...values),
  windGusts: (values) => Math.max(...values),
  weatherCode: (values) => Math.max(...values),
};

/**
 * Corrects days around clock changes: Open-Meteo uses the UTC offset at the time of the request for all days.
 * A day with another offset is computed from its hours or, if they are unknown, kept with a note.
 */
export function localDays(days: readonly Day[], hours: readonly Moment[], options: LocalDaysOptions): Day[] {
  const { zone, offset, notes } = options;
  return days.flatMap((day) => {
    const [start, end] = [zone.startOf(day.date), zone.endOf(day.date)];
    if (start >= end) {
      notes.add(`${day.date} did not exist in ${zone.name}: its clocks skipped it`);
      return [];
    }
    if (zone.offsetAt(start) === offset && zone.offsetAt(end - 1) === offset) return [day];
    const own = dayFromHours(day.date, hours, zone);
    if (!own) {
      notes.add(
        `Some days are those of ${clockText(offset)} and not of ${zone.name}, because their hours are not known`,
      );
      return [day];
    }
    return [{ ...day, ...own, values: { ...day.values, ...own.values } }];
  });
}

/** Computes the values of a local day from its hours; undefined if no hour is known. */
export function dayFromHours(
  date: string,
  hours: readonly Moment[],
  zone: Zone,
): Pick<Day, 'values' | 'incomplete'> | undefined {
  const [start, end] = [zone.startOf(date), zone.endOf(date)];
  const at = hours.filter(({ time }) => time >= start && time < end);
  const before = hours.filter(({ time }) => time > start && time <= end);
  const expected = Math.round((end - start) / 3600);
  if (at.length === 0) return undefined;
  const values: { [name: string]: number | null } = {};
  for (const [name, merge] of Object.entries(daily)) {
    const measure = hourlyOf(name as Measure);
    // A measure with `precedingHour` has a value for the hour before its time, so that hour decides the day.
    const rows = infoOf(measure).precedingHour ? before : at;
    const requested = rows.some(({ values: row }) => row[measure] !== undefined);
    const known = rows.map(({ values: row }) => row[measure]).filter((value) => typeof value === 'number');
    if (requested) values[name] = known.length > 0 ? merge(known) : null;
  }
  const missing = expected - at.length;
  return {
    values: values as Values,
    ...(missing > 0 && { incomplete: `${at.length} of ${expected} hours` }),
  };
}

function hourlyOf(measure: Measure): Measure {
  return measure === 'temperatureMax' || measure === 'temperatureMin' ? 'temperature' : measure;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function clockText(offset: number): string {
  return `UTC${offset < 0 ? '-' : '+'}${Math.abs(offset) / 3600}`;
}
