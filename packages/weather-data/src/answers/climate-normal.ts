import type { FetchOptions } from '../cache/upstream-document.ts';
import { invalidArgument, isTransient, WeatherError } from '../errors.ts';
import { infoOf, type Measure } from '../model/measures.ts';
import type { Day } from '../model/series.ts';
import { addDays, isDate } from '../model/time-zone.ts';
import { inUnit, unitOf, type UnitSystem } from '../model/units.ts';
import type { Place } from '../places/place.ts';
import type { WeatherService } from '../weather-service.ts';
import type { Facts } from '../text/provenance.ts';
import { summarizedMeasures } from './period-summary.ts';

export interface ClimateNormal {
  readonly text: string;
  readonly facts: Facts;
}

/** The number of years that a climate normal covers by the definition of the WMO. */
const normalYears = 30;

/** With fewer known years there is no climate normal. */
const minYears = 10;

const maxDays = 31;

/**
 * Computes the climate normal of a range of days: the means of the same dates in the 30 years before. Throws
 * a `WeatherError` if the range has more than 31 days, or fewer than 10 years are known.
 */
export async function climateNormal(
  weather: WeatherService,
  place: Place,
  { start, end, units }: { start: string; end: string; units: UnitSystem },
  options: FetchOptions,
): Promise<ClimateNormal> {
  if (addDays(start, maxDays) <= end) {
    throw invalidArgument(
      'normal',
      `Invalid range: ${start} to ${end}; expected at most ${maxDays} days with normal`,
    );
  }
  const outcomes = await fetchYears(weather, place, { start, end }, options);
  const known = outcomes.filter((days) => days.length > 0);
  if (known.length < minYears) {
    throw new WeatherError(
      'no_data',
      `No climate normal: only ${known.length} of ${normalYears} years are known, and it takes ${minYears}`,
    );
  }
  const period = `${known[0]![0]!.date.slice(0, 4)}-${known.at(-1)![0]!.date.slice(0, 4)}`;
  const means = Object.entries(summarizedMeasures).flatMap(
    ([measure, kind]) => meanOf(known, measure as Measure, kind, units) ?? [],
  );
  return {
    text: `Normal (${known.length} years, ${period}): ${means.map(({ text }) => text).join(', ')}`,
    facts: {
      period,
      years: known.length,
      ...Object.fromEntries(means.map(({ name, value }) => [name, value])),
    },
  };
}

/** Returns the days of each year, oldest first. A temporary failure cancels all requests and is thrown. */
async function fetchYears(
  weather: WeatherService,
  place: Place,
  { start, end }: { start: string; end: string },
  options: FetchOptions,
): Promise<readonly (readonly Day[])[]> {
  const failed = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, failed.signal]) : failed.signal;
  const years = Array.from({ length: normalYears }, (_, index) => normalYears - index);
  try {
    return await Promise.all(
      years.map(async (count) => {
        const [first, last] = [yearsBefore(start, count), yearsBefore(end, count)];
        try {
          const { model } = await weather.history(place, first, last, { ...options, signal });
          return model.days.filter(({ date }) => date >= first && date <= last);
        } catch (error) {
          // A year before the beginning of the archive has no data. Only temporary failures are thrown.
          if (error instanceof WeatherError && !isTransient(error)) return [];
          throw error;
        }
      }),
    );
  } catch (error) {
    failed.abort();
    throw error;
  }
}

/** Returns the mean of the yearly totals or means of a measure; undefined if no year has a value. */
function meanOf(
  years: readonly (readonly Day[])[],
  measure: Measure,
  kind: 'total' | 'mean',
  units: UnitSystem,
): { name: string; value: number; text: string } | undefined {
  const values = years.flatMap((days) => {
    const known = days.map((day) => day.values[measure]).filter((value) => typeof value === 'number');
    if (known.length === 0) return [];
    const total = known.reduce((sum, value) => sum + value, 0);
    return [kind === 'total' ? total : total / known.length];
  });
  if (values.length === 0) return undefined;
  const { label, quantity } = infoOf(measure);
  const unit = unitOf(quantity, units);
  const value = inUnit(values.reduce((sum, each) => sum + each, 0) / values.length, unit);
  return { name: measure + unit.suffix, value, text: `${label} ${value} ${unit.label}` };
}

/** Returns the same date some years before. 29 February becomes 28 February if that year has none. */
function yearsBefore(date: string, years: number): string {
  const moved = `${Number(date.slice(0, 4)) - years}${date.slice(4)}`;
  return isDate(moved) ? moved : moved.replace(/29$/, '28');
}
