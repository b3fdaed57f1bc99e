export interface Moon {
  /** The phase, such as `waxing gibbous`; a principal phase, such as `full moon`, on the day it occurs. */
  readonly phase: string;
  /** How much of the disc is lit at the middle of the day, in per cent. */
  readonly lit: number;
}

const principal = ['new moon', 'first quarter', 'full moon', 'last quarter'] as const;
const between = ['waxing crescent', 'waxing gibbous', 'waning gibbous', 'waning crescent'] as const;

/** Returns the moon on a local day. `start` and `end` are the ends of the day, in seconds since 1970. */
export function moonOn(start: number, end: number): Moon {
  const [first, last] = [quarterOf(angleAt(start)), quarterOf(angleAt(end))];
  const lit = (1 - Math.cos((angleAt((start + end) / 2) * Math.PI) / 180)) / 2;
  return { phase: first === last ? between[first]! : principal[last]!, lit: Math.round(lit * 100) };
}

function quarterOf(angle: number): number {
  return Math.floor(angle / 90) % 4;
}

/**
 * Returns the angle between sun and moon, in degrees: 0 at new moon, 180 at full moon. The error is at most
 * half a degree, which the moon covers in an hour. See Jean Meeus, Astronomical Algorithms, chapter 48.
 */
function angleAt(instant: number): number {
  const centuries = (instant / 86_400 + 2_440_587.5 - 2_451_545) / 36_525;
  const elongation = 297.8501921 + 445_267.1114034 * centuries;
  const sun = 357.5291092 + 35_999.0502909 * centuries;
  const moon = 134.9633964 + 477_198.8675055 * centuries;
  const angle =
    elongation +
    6.289 * sine(moon) -
    2.1 * sine(sun) +
    1.274 * sine(2 * elongation - moon) +
    0.658 * sine(2 * elongation) +
    0.214 * sine(2 * moon) +
    0.11 * sine(elongation);
  return ((angle % 360) + 360) % 360;
}

function sine(degrees: number): number {
  return Math.sin((degrees * Math.PI) / 180);
}
