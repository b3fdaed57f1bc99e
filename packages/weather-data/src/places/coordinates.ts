import { invalidArgument, quoted, WeatherError } from '../errors.ts';

/** A point on Earth, in degrees north and east (WGS 84). */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

// Matches decimal degrees, with a sign or followed by the letter of a hemisphere.
const number = String.raw`([+-]?\d{1,4}(?:\.\d{1,20})?)\s*°?\s*`;
const pair = new RegExp(`^\\s*${number}([NS]?)\\s*[,;\\s]\\s*${number}([EW]?)\\s*$`, 'i');

/** Parses `52.52,13.41` or `33.9S 151.2E`; undefined for a name. Throws for numbers out of range. */
export function parseCoordinates(text: string): Coordinates | undefined {
  const found = pair.exec(text);
  if (!found) return undefined;
  const [, latitude, south, longitude, west] = found;
  return parseLatLon(
    Number(latitude) * (south?.toUpperCase() === 'S' ? -1 : 1),
    Number(longitude) * (west?.toUpperCase() === 'W' ? -1 : 1),
  );
}

/** Rounds to 4 decimals (11 m), as Open-Meteo and NWS do. Throws a `WeatherError` if out of range. */
export function parseLatLon(latitude: number, longitude: number): Coordinates {
  return { latitude: inRange('Latitude', latitude, 90), longitude: inRange('Longitude', longitude, 180) };
}

function inRange(name: string, value: number, max: number): number {
  if (!(value >= -max && value <= max)) {
    const facts = { argument: name.toLowerCase(), given: Number.isFinite(value) ? value : String(value) };
    throw new WeatherError(
      'invalid_argument',
      `Invalid ${name.toLowerCase()}: ${value}; expected -${max} to ${max}`,
      facts,
    );
  }
  // Adding 0 turns -0 into 0.
  return Math.round(value * 10_000) / 10_000 + 0;
}

/** Returns coordinates in the form of an argument: `52.52,13.41`. */
export function coordinatesText({ latitude, longitude }: Coordinates): string {
  return `${latitude},${longitude}`;
}

/** Returns coordinates as `52.52° N 13.41° E`, in which a reader notices exchanged numbers. */
export function degreesText({ latitude, longitude }: Coordinates): string {
  return `${Math.abs(latitude)}° ${latitude < 0 ? 'S' : 'N'} ${Math.abs(longitude)}° ${longitude < 0 ? 'W' : 'E'}`;
}

/** The great-circle distance in kilometres, also correct across the antimeridian and at the poles. */
export function distanceKm(a: Coordinates, b: Coordinates): number {
  const radians = Math.PI / 180;
  const half = (degrees: number) => Math.sin((degrees * radians) / 2) ** 2;
  const chord =
    half(b.latitude - a.latitude) +
    Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians) * half(b.longitude - a.longitude);
  return 2 * 6371 * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** Returns the coordinates in an untrusted document; undefined if they are not numbers in range. */
export function coordinatesIn(latitude: unknown, longitude: unknown): Coordinates | undefined {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined;
  return { latitude, longitude };
}

/** Throws a `WeatherError` for a text that looks like coordinates in another notation. */
export function assertNotCoordinates(text: string): void {
  const isNotation = /^[\s\d.,;°+-]+[NSEW]?[\s\d.,;°+-]*[NSEW]?\s*$/i.test(text) && /\d/.test(text);
  const isNumbers = text
    .split(/[,;\s]+/)
    .every((part) => /^(?:nan|[+-]?infinity)$/i.test(part) || (part !== '' && !Number.isNaN(Number(part))));
  if (!isNotation && !isNumbers) return;
  throw invalidArgument(
    'place',
    `Invalid coordinates: ${quoted(text)}; expected latitude and longitude in degrees, such as 52.52,13.41`,
  );
}
