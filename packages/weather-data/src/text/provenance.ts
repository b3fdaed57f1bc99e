import type { Fetched } from '../cache/upstream-document.ts';
import type { Coordinates } from '../places/coordinates.ts';
import { type Place, placeText } from '../places/place.ts';
import { gridDistance, durationText } from '../model/upcoming.ts';
import { utcText } from '../model/time-zone.ts';

/** What an answer is about: its place, the coordinates that the data are for, and their quality. */
export interface Subject {
  readonly place?: Place | undefined;
  readonly grid?: Coordinates | undefined;
  readonly zone?: string | undefined;
  readonly elevation?: number | undefined;
  readonly issuedAt: number | null;
  /** When the observation was made, in seconds since 1970; given only if the observation is too old. */
  readonly since?: number | undefined;
  readonly stale: boolean;
  readonly notes: readonly string[];
}

const attributions = {
  'open-meteo': 'Weather data by Open-Meteo.com (https://open-meteo.com/), CC BY 4.0',
  nws: 'National Weather Service (https://www.weather.gov/), public domain',
  meteoalarm:
    'EUMETNET MeteoAlarm (https://meteoalarm.org/) and its weather services, CC BY 4.0; that site may have newer alerts',
};

/** The attribution that must be shown with the data. */
export function attributionOf({ source, sample = false }: Fetched<unknown>): string {
  return sample ? 'Made-up sample data, not real weather' : attributions[source];
}

const names = { 'open-meteo': 'Open-Meteo', nws: 'National Weather Service', meteoalarm: 'MeteoAlarm' };

/** Facts, as they are in structured content. */
export type Facts = { readonly [name: string]: unknown };

/** The source and the age of the data, and the coordinates that they are for, as facts. */
export function provenanceFacts(read: Fetched<unknown>, subject: Subject, nowMs: number): Facts {
  const { source, fetchedAt, sample = false, dataset = false, problem } = read;
  const { place, grid, stale, issuedAt, notes } = subject;
  const all = [...(place?.notes ?? []), ...notes];
  return {
    source: dataset ? `${sample ? 'sample' : 'dataset'} (${source})` : source,
    ...(sample && { sample: true }),
    issuedAt: issuedAt === null ? null : utcText(issuedAt),
    fetchedAt: utcText(fetchedAt / 1000),
    stale,
    ...(stale && !sample && { ageSeconds: ageSeconds(read, subject, nowMs) }),
    attribution: attributionOf(read),
    ...(place && { place: placeFacts(place, subject) }),
    ...(place && { gridDistanceKm: gridDistance(place, grid) }),
    ...(all.length > 0 && { notes: all }),
    ...(problem && { problem: problem.structured }),
  };
}

/** The source and the age of the data, and the coordinates that they are for, as the last lines of a text. */
export function provenanceText(read: Fetched<unknown>, subject: Subject, nowMs: number): string {
  const { source, fetchedAt, sample = false, dataset = false, problem } = read;
  const { place, grid, stale, issuedAt, notes } = subject;
  const distance = place && gridDistance(place, grid);
  const lines = [
    sample && 'SAMPLE: made-up data of the program, not real weather.',
    stale && !sample && `STALE: ${durationText(ageSeconds(read, subject, nowMs))} old.`,
    problem && `Newer data are not available: ${problem.message}`,
    ...[...(place?.notes ?? []), ...notes].map((note) => `Note: ${note}`),
    [
      `Source: ${names[source]}${dataset ? `, from ${sample ? 'the sample' : 'a dataset'}` : ''}`,
      issuedAt !== null && `issued ${utcText(issuedAt)}`,
      `${dataset ? 'stored' : 'fetched'} ${utcText(fetchedAt / 1000)}`,
      typeof distance === 'number' && `for a point ${distance} km away`,
    ]
      .filter(Boolean)
      .join(', '),
    !sample && attributions[source],
  ];
  return lines.filter(Boolean).join('\n');
}

/** Returns a place as text: `Berlin, Germany (52.52° N 13.41° E), Europe/Berlin`. */
export function subjectText(place: Place, zone: string | undefined): string {
  const saved = place.saved === undefined ? '' : `${place.saved}: `;
  return `${saved}${placeText(place)}${zone === undefined ? '' : `, ${zone}`}`;
}

function placeFacts(
  { name, admin1, country, countryCode, latitude, longitude, saved }: Place,
  { grid, zone, elevation }: Subject,
): Facts {
  return {
    ...(saved !== undefined && { saved }),
    ...(name !== undefined && { name }),
    ...(admin1 !== undefined && { admin1 }),
    ...(country !== undefined && { country }),
    ...(countryCode !== undefined && { countryCode }),
    latitude,
    longitude,
    ...(zone !== undefined && { timezone: zone }),
    ...(elevation !== undefined && { elevationM: elevation }),
    ...(grid && { gridLatitude: round(grid.latitude), gridLongitude: round(grid.longitude) }),
  };
}

function round(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000;
}

function ageSeconds({ fetchedAt }: Fetched<unknown>, { since, issuedAt }: Subject, nowMs: number): number {
  return Math.max(0, Math.round(nowMs / 1000 - (since ?? issuedAt ?? fetchedAt / 1000)));
}
