import { type Coordinates, distanceKm } from '../places/coordinates.ts';

/** Latitudes and longitudes, alternating. A line across the antimeridian continues beyond 180°. */
export type Ring = Float64Array;

export interface Circle extends Coordinates {
  readonly radiusKm: number;
}

/**
 * Parses a polygon of the Common Alerting Protocol, such as `38.47,-120.14 38.34,-119.95 38.52,-119.74`.
 * Returns undefined if it has fewer than three points or an invalid point.
 * @see https://docs.oasis-open.org/emergency/cap/v1.2/CAP-v1.2-os.html
 */
export function parseRing(text: string): Ring | undefined {
  const points = text.trim().split(/\s+/);
  if (points.length < 3) return undefined;
  const ring = new Float64Array(points.length * 2);
  let before = 0;
  for (const [index, point] of points.entries()) {
    const [latitude, longitude] = parsePair(point);
    if (latitude === undefined || longitude === undefined) return undefined;
    // An edge takes the shorter way around Earth: from 179° to -179° are 2 degrees, across the antimeridian.
    const turns = index === 0 ? 0 : Math.round((longitude - before) / 360);
    before = longitude - turns * 360;
    ring[index * 2] = latitude;
    ring[index * 2 + 1] = before;
  }
  return ring;
}

/** Parses a circle of the Common Alerting Protocol, such as `32.9,-117.2 5`, whose radius is 5 kilometres. */
export function parseCircle(text: string): Circle | undefined {
  const [centre = '', radius = ''] = text.trim().split(/\s+/);
  const [latitude, longitude] = parsePair(centre);
  const radiusKm = radius === '' ? Number.NaN : Number(radius);
  if (latitude === undefined || longitude === undefined || !(radiusKm >= 0)) return undefined;
  return { latitude, longitude, radiusKm };
}

function parsePair(text: string): readonly [number?, number?] {
  const [, first, second] = /^(-?\d{1,3}(?:\.\d{1,20})?),(-?\d{1,3}(?:\.\d{1,20})?)$/.exec(text) ?? [];
  const [latitude, longitude] = [Number(first), Number(second)];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 360 ? [latitude, longitude] : [];
}

/** Whether a point is inside a ring: a line from the point to the north crosses an odd number of edges. */
export function isInRing(ring: Ring, { latitude, longitude }: Coordinates): boolean {
  return [-360, 0, 360].some((turn) => isInside(ring, latitude, longitude + turn));
}

function isInside(ring: Ring, latitude: number, longitude: number): boolean {
  let inside = false;
  for (let at = 0, last = ring.length - 2; at < ring.length; last = at, at += 2) {
    const west = ring[at + 1]!;
    const east = ring[last + 1]!;
    if (west > longitude === east > longitude) continue;
    const share = (longitude - west) / (east - west);
    if (latitude < ring[at]! + share * (ring[last]! - ring[at]!)) inside = !inside;
  }
  return inside;
}

export function isInCircle(circle: Circle, point: Coordinates): boolean {
  return distanceKm(circle, point) <= circle.radiusKm;
}
