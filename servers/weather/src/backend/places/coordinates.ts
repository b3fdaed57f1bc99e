import { Failure, quoted } from '../errors.ts';

/** A point on Earth, in degrees north and east (WGS 84). */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

// Degrees with a point, as most programs write them, or with the letter of a hemisphere behind.
const number = String.raw`([+-]?\d{1,4}(?:\.\d{1,20})?)\s*°?\s*`;
const pair = new RegExp(`^\\s*${number}([NS]?)\\s*[,;\\s]\\s*${number}([EW]?)\\s*$`, 'i');

/** The coordinates that a text such as `52.52,13.41` or `33.9S 151.2E` is; undefined where it is a name. */
export function parseCoordinates(text: string): Coordinates | undefined {
  const found = pair.exec(text);
  if (!found) return undefined;
  const [, latitude, south, longitude, west] = found;
  return checkedCoordinates(
    Number(latitude) * (/^s$/i.test(south!) ? -1 : 1),
    Number(longitude) * (/^w$/i.test(west!) ? -1 : 1),
  );
}

/** Coordinates in range, to the 4 decimals (11 m) that both upstreams use. */
export function checkedCoordinates(latitude: number, longitude: number): Coordinates {
  return { latitude: inRange('Latitude', latitude, 90), longitude: inRange('Longitude', longitude, 180) };
}

function inRange(name: string, value: number, most: number): number {
  if (!(value >= -most && value <= most)) {
    const facts = { argument: name.toLowerCase(), given: Number.isFinite(value) ? value : String(value) };
    throw new Failure(
      'invalid_argument',
      `${name} must be from -${most} to ${most}, and not ${value}`,
      facts,
    );
  }
  // Adding 0 makes -0 a plain 0.
  return Math.round(value * 10_000) / 10_000 + 0;
}

/** `52.52,13.41`: how coordinates are written as an argument. */
export function coordinatesText({ latitude, longitude }: Coordinates): string {
  return `${latitude},${longitude}`;
}

/** `52.52° N 13.41° E`: how people read them, so that a swapped pair is seen. */
export function degreesText({ latitude, longitude }: Coordinates): string {
  return `${Math.abs(latitude)}° ${latitude < 0 ? 'S' : 'N'} ${Math.abs(longitude)}° ${longitude < 0 ? 'W' : 'E'}`;
}

/** Kilometres between two points, along the surface; right across the antimeridian and at the poles. */
export function distanceKm(a: Coordinates, b: Coordinates): number {
  const radians = Math.PI / 180;
  const half = (degrees: number) => Math.sin((degrees * radians) / 2) ** 2;
  const chord =
    half(b.latitude - a.latitude) +
    Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians) * half(b.longitude - a.longitude);
  return 2 * 6371 * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** Coordinates in a document, which may be anything. */
export function coordinatesIn(latitude: unknown, longitude: unknown): Coordinates | undefined {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined;
  return { latitude, longitude };
}

/** Fails where a text looks like coordinates that were written in another way. */
export function refuseNearCoordinates(text: string): void {
  const odd = /^[\s\d.,;°+-]+[NSEW]?[\s\d.,;°+-]*[NSEW]?\s*$/i.test(text) && /\d/.test(text);
  const numbers = text
    .split(/[,;\s]+/)
    .every((part) => /^(?:nan|[+-]?infinity)$/i.test(part) || (part !== '' && !Number.isNaN(Number(part))));
  if (!odd && !numbers) return;
  throw new Failure(
    'invalid_argument',
    `Not coordinates: ${quoted(text)}. Write latitude and longitude in degrees, such as 52.52,13.41`,
    { argument: 'place' },
  );
}
