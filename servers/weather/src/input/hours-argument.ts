import type { Interval } from '../answers/hours-table.ts';
import { Failure, quoted } from '../backend/errors.ts';
import type { Measure } from '../backend/model/measures.ts';
import { isDate } from '../backend/model/time-zone.ts';

/** The measures that both providers forecast by the hour. */
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

const defaultMeasures: readonly Measure[] = [
  'temperature',
  'precipitationChance',
  'precipitation',
  'windSpeed',
];

/** Parses the names of columns; by default some common ones. Throws a `Failure`. */
export function parseMeasures(names: readonly string[] | undefined): readonly Measure[] {
  if (names === undefined) return defaultMeasures;
  const measures = names.map((name) => {
    const measure = hourlyMeasures.find(
      (each) => each.toLowerCase() === name.toLowerCase().replace(/[_ ]/g, ''),
    );
    if (measure) return measure;
    throw invalid('measures', name, hourlyMeasures.join(', '));
  });
  if (measures.length === 0) throw invalid('measures', '', hourlyMeasures.join(', '));
  return [...new Set(measures)];
}

/** Parses `2026-11-20T06/2026-11-21T18`, both hours included. Throws a `Failure`. */
export function parseInterval(text: string): Interval {
  const hour = String.raw`(\d{4}-\d\d-\d\d)T([01]\d|2[0-3])(?::00)?`;
  const [, firstDate, firstHour, lastDate, lastHour] = new RegExp(`^${hour}/${hour}$`).exec(text) ?? [];
  if (firstDate === undefined || lastDate === undefined || !isDate(firstDate) || !isDate(lastDate)) {
    throw invalid('hours', text, 'two local hours such as 2026-11-20T06/2026-11-21T18');
  }
  const [first, last] = [`${firstDate}T${firstHour}`, `${lastDate}T${lastHour}`];
  if (first > last) throw invalid('hours', text, 'the first hour before the last');
  return { first, last };
}

function invalid(argument: string, value: string, expected: string): Failure {
  return new Failure('invalid_argument', `Invalid ${argument}: ${quoted(value)}; expected ${expected}`, {
    argument,
  });
}
