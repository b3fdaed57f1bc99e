import {
  type Interval,
  invalidArgument,
  isDate,
  marineMeasures,
  type Measure,
  quoted,
  type WeatherError,
} from '@mcp/weather-data';

/** The measures that both Open-Meteo and NWS forecast by the hour. */
const hourlyMeasures = [
  'temperature',
  'feelsLike',
  'dewPoint',
  'humidity',
  'precipitationChance',
  'precipitation',
  'snowfall',
  'weatherCode',
  'windSpeed',
  'windDirection',
  'windGusts',
] as const satisfies Measure[];

/** All columns of a table of hours. */
const columns: readonly Measure[] = [...hourlyMeasures, ...marineMeasures];

const defaultMeasures: readonly Measure[] = [
  'temperature',
  'precipitationChance',
  'precipitation',
  'windSpeed',
];

/** Parses the names of columns; without names, returns the most common columns. Throws a `WeatherError`. */
export function parseMeasures(names: readonly string[] | undefined): readonly Measure[] {
  if (names === undefined) return defaultMeasures;
  const measures = names.map((name) => {
    const measure = columns.find((each) => each.toLowerCase() === name.toLowerCase().replace(/[_ ]/g, ''));
    if (measure) return measure;
    throw invalid('measures', name, columns.join(', '));
  });
  if (measures.length === 0) throw invalid('measures', '', columns.join(', '));
  return [...new Set(measures)];
}

const date = String.raw`(\d{4}-\d\d-\d\d)`;
const hour = String.raw`T([01]\d|2[0-3])(?::00)?`;
const withDates = new RegExp(`^${date}${hour}(?:/${date}${hour})?$`);
const ofEachDay = new RegExp(`^${hour}(?:/${hour})?$`);
const example = 'local hours such as 2026-11-20T06/2026-11-21T18, or T08/T18 of each day';

/**
 * Parses an interval, which includes its first and its last hour: `2026-11-20T06/2026-11-21T18`, or a single
 * hour `2026-11-20T06`. `T08/T18` and `T08` mean these hours of each day. Throws a `WeatherError`.
 */
export function parseInterval(text: string): Interval {
  const [, first = '', last = first] = ofEachDay.exec(text) ?? [];
  if (first !== '') return ordered(text, { first, last, daily: true });
  const [, firstDate, firstHour, lastDate = firstDate, lastHour = firstHour] = withDates.exec(text) ?? [];
  if (firstDate === undefined || lastDate === undefined || !isDate(firstDate) || !isDate(lastDate)) {
    throw invalid('hours', text, example);
  }
  return ordered(text, { first: `${firstDate}T${firstHour}`, last: `${lastDate}T${lastHour}`, daily: false });
}

function ordered(text: string, interval: Interval): Interval {
  if (interval.first > interval.last) throw invalid('hours', text, 'the first hour before the last');
  return interval;
}

function invalid(argument: string, value: string, expected: string): WeatherError {
  return invalidArgument(argument, `Invalid ${argument}: ${quoted(value)}; expected ${expected}`);
}
