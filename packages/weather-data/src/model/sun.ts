import type { Coordinates } from '../places/coordinates.ts';
import type { Day } from './series.ts';
import type { Zone } from './time-zone.ts';

type Sun = Pick<Day, 'sunrise' | 'sunset' | 'sun'>;

/**
 * Computes sunrise and sunset on a local date, right to about two minutes, for sources that do not send them.
 * @see https://en.wikipedia.org/wiki/Sunrise_equation
 */
export function sunOn(date: string, zone: Zone, { latitude, longitude }: Coordinates): Sun {
  const noon = Date.parse(`${date}T12:00Z`) / 86_400_000 + 2_440_587.5 - 2_451_545 - longitude / 360;
  const solarNoon = [0, -1, 1].map((day) => transitOf(noon + day)).find(({ at }) => zone.dateAt(at) === date);
  const { at, declination } = solarNoon ?? transitOf(noon);
  const cosine =
    (sine(-0.833) - sine(latitude) * sine(declination)) /
    Math.max(1e-9, Math.cos(radians(latitude)) * Math.cos(radians(declination)));
  if (cosine > 1) return { sunrise: null, sunset: null, sun: 'down all day' };
  if (cosine < -1) return { sunrise: null, sunset: null, sun: 'up all day' };
  const half = (Math.acos(cosine) / (2 * Math.PI)) * 86_400;
  return { sunrise: Math.round(at - half), sunset: Math.round(at + half) };
}

/**
 * Returns when the sun is highest, in seconds since 1970, and its declination. `days` is the number of days
 * since 2000-01-01 12:00 UTC.
 */
function transitOf(days: number): { at: number; declination: number } {
  const anomaly = 357.5291 + 0.98560028 * days;
  const centre = 1.9148 * sine(anomaly) + 0.02 * sine(2 * anomaly) + 0.0003 * sine(3 * anomaly);
  const ecliptic = anomaly + centre + 180 + 102.9372;
  const transit = days + 0.0053 * sine(anomaly) - 0.0069 * sine(2 * ecliptic);
  return {
    at: (transit + 2_451_545 - 2_440_587.5) * 86_400,
    declination: (Math.asin(sine(ecliptic) * sine(23.4397)) * 180) / Math.PI,
  };
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

function sine(degrees: number): number {
  return Math.sin(radians(degrees));
}
