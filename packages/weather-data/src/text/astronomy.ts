import { moonOn } from '../model/moon.ts';
import type { Day } from '../model/series.ts';
import { sunOn } from '../model/sun.ts';
import { addDays, type Zone } from '../model/time-zone.ts';
import type { Coordinates } from '../places/coordinates.ts';

type Sun = Pick<Day, 'sunrise' | 'sunset' | 'sun'>;

/** The sun and the moon on one day. */
export interface Astronomy {
  readonly sun: Sun;
  /** The time from sunrise to sunset, in minutes. */
  readonly minutes: number;
  readonly phase: string;
  /** How much of the moon is lit, in per cent. */
  readonly lit: number;
}

/** Returns the sun and the moon on a day. If the source has no sunrise and sunset, they are computed. */
export function astronomyOf(day: Day, zone: Zone, at: Coordinates): Astronomy {
  const known = day.sun !== undefined || (day.sunrise !== null && day.sunset !== null);
  const sun: Sun = known ? day : sunOn(day.date, zone, at);
  const moon = moonOn(zone.startOf(day.date), zone.startOf(addDays(day.date, 1)));
  return { sun: pick(sun), minutes: minutesOf(sun), ...moon };
}

function pick({ sunrise, sunset, sun }: Sun): Sun {
  return { sunrise, sunset, ...(sun && { sun }) };
}

function minutesOf({ sunrise, sunset, sun }: Sun): number {
  if (sun !== undefined) return sun === 'up all day' ? 1_440 : 0;
  return Math.round((sunset! - sunrise!) / 60);
}

/** Returns `day length 8 h 33 min, moon waxing gibbous, 78 % lit`. */
export function astronomyText({ minutes, phase, lit }: Astronomy): string {
  const name = /moon|quarter/.test(phase) ? phase : `moon ${phase}`;
  return `day length ${Math.floor(minutes / 60)} h ${minutes % 60} min, ${name}, ${lit} % lit`;
}
