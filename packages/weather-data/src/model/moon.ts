/** The moon on one day. */
export interface Moon {
  /** Such as `waxing gibbous`; `full moon` and the other principal phases on the day on which they occur. */
  readonly phase: string;
  /** How much of the disc is lit at the middle of the day, in per cent. */
  readonly lit: number;
}

const principal = ['new moon', 'first quarter', 'full moon', 'last quarter'] as const;
const between = ['waxing crescent', 'waxing gibbous', 'waning gibbous', 'waning crescent'] as const;

/** The moon between two instants, the ends of a local day, in seconds since 1970. */
export function moonOn(start: number, end: number): Moon {
  const [first, last] = [quarterOf(angleAt(start)), quarterOf(angleAt(end))];
  const lit = (1 - Math.cos((angleAt((start + end) / 2) * Math.PI) / 180)) / 2;
  return { phase: first === last ? between[first]! : principal[last]!, lit: Math.round(lit * 100) };
}

function quarterOf(angle: number): number {
  return Math.floor(angle / 90) % 4;
}

/**
 * The angle between sun and moon as the light of the moon shows it: 0 at new moon, 180 at full moon. It is
 * right to half a degree, an hour: Jean Meeus, Astronomical Algorithms, chapter 48.
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
