import { infoOf, type Measure, type Values } from './measures.ts';
import type { Day, Moment } from './series.ts';
import { type Zone } from './time-zone.ts';

interface Clock {
  readonly zone: Zone;
  /** The one offset that the upstream counted days with. */
  readonly offset: number;
  readonly notes: Set<string>;
}

/** How the value of a day follows from those of its hours. */
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
 * Open-Meteo counts days with the offset of the moment when it is asked. Days on which clocks show another one are
 * made anew from their hours, where those are there.
 */
export function regroup(days: readonly Day[], hours: readonly Moment[], clock: Clock): Day[] {
  const { zone, offset, notes } = clock;
  return days.flatMap((day) => {
    const [start, end] = [zone.startOf(day.date), zone.endOf(day.date)];
    if (start >= end) {
      notes.add(`There was no ${day.date} in ${zone.name}: clocks went past it`);
      return [];
    }
    if (zone.offsetAt(start) === offset && zone.offsetAt(end - 1) === offset) return [day];
    const own = dayOf(day.date, hours, zone);
    if (!own) {
      notes.add(
        `Some days are counted with clocks at ${clockText(offset)} and not those of ${zone.name} on that day`,
      );
      return [day];
    }
    return [{ ...day, ...own, values: { ...day.values, ...own.values } }];
  });
}

/** A local day from its hours; undefined where there are too few of them. */
export function dayOf(
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
    // What is about the hour before belongs to the day in which that hour was.
    const rows = infoOf(measure).precedingHour ? before : at;
    const asked = rows.some(({ values: row }) => row[measure] !== undefined);
    const known = rows.map(({ values: row }) => row[measure]).filter((value) => typeof value === 'number');
    if (asked) values[name] = known.length > 0 ? merge(known) : null;
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
