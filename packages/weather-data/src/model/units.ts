import type { Quantity } from './measures.ts';

export const unitSystems = ['metric', 'imperial', 'si'] as const;

export type UnitSystem = (typeof unitSystems)[number];

/** A unit of a quantity, and the conversion from the canonical unit. */
export interface Unit {
  /** The label that follows a number in texts. */
  readonly label: string;
  /** The suffix of the name of a fact, such as `C` in `temperatureC`. */
  readonly suffix: string;
  /** How many digits a number has after the decimal point. */
  readonly digits: number;
  readonly from: (canonical: number) => number;
}

const same = (value: number) => value;
const times = (factor: number) => (value: number) => value * factor;

const percent: Unit = { label: '%', suffix: 'Percent', digits: 0, from: same };
const direction: Unit = { label: '°', suffix: 'Degrees', digits: 0, from: same };
const concentration: Unit = { label: 'μg/m³', suffix: 'UgM3', digits: 1, from: same };
const pollen: Unit = { label: 'grains/m³', suffix: 'GrainsM3', digits: 1, from: same };
const plain: Unit = { label: '', suffix: '', digits: 2, from: same };
const duration: Unit = { label: 's', suffix: 'S', digits: 1, from: same };
const everywhere = { duration, percent, direction, concentration, pollen, plain };

const units: { readonly [System in UnitSystem]: { readonly [Q in Quantity]: Unit } } = {
  metric: {
    ...everywhere,
    temperature: { label: '°C', suffix: 'C', digits: 1, from: same },
    speed: { label: 'km/h', suffix: 'Kmh', digits: 1, from: same },
    precipitation: { label: 'mm', suffix: 'Mm', digits: 1, from: same },
    snowfall: { label: 'cm', suffix: 'Cm', digits: 1, from: same },
    depth: { label: 'cm', suffix: 'Cm', digits: 0, from: times(100) },
    height: { label: 'm', suffix: 'M', digits: 1, from: same },
    pressure: { label: 'hPa', suffix: 'Hpa', digits: 1, from: same },
    distance: { label: 'km', suffix: 'Km', digits: 1, from: times(1 / 1000) },
  },
  imperial: {
    ...everywhere,
    temperature: { label: '°F', suffix: 'F', digits: 1, from: (celsius) => (celsius * 9) / 5 + 32 },
    speed: { label: 'mph', suffix: 'Mph', digits: 1, from: times(1 / 1.609344) },
    precipitation: { label: 'in', suffix: 'In', digits: 2, from: times(1 / 25.4) },
    snowfall: { label: 'in', suffix: 'In', digits: 1, from: times(1 / 2.54) },
    depth: { label: 'in', suffix: 'In', digits: 1, from: times(1 / 0.0254) },
    height: { label: 'ft', suffix: 'Ft', digits: 1, from: times(1 / 0.3048) },
    pressure: { label: 'inHg', suffix: 'Inhg', digits: 2, from: times(1 / 33.8638866667) },
    distance: { label: 'mi', suffix: 'Mi', digits: 1, from: times(1 / 1609.344) },
  },
  si: {
    ...everywhere,
    temperature: { label: 'K', suffix: 'K', digits: 2, from: (celsius) => celsius + 273.15 },
    speed: { label: 'm/s', suffix: 'Ms', digits: 1, from: times(1 / 3.6) },
    precipitation: { label: 'mm', suffix: 'Mm', digits: 1, from: same },
    snowfall: { label: 'm', suffix: 'M', digits: 3, from: times(1 / 100) },
    depth: { label: 'm', suffix: 'M', digits: 2, from: same },
    height: { label: 'm', suffix: 'M', digits: 2, from: same },
    pressure: { label: 'Pa', suffix: 'Pa', digits: 0, from: times(100) },
    distance: { label: 'm', suffix: 'M', digits: 0, from: same },
  },
};

/** Returns the unit of a quantity in a system: its label, the suffix of its facts, and its digits. */
export function unitOf(quantity: Quantity, system: UnitSystem): Unit {
  return units[system][quantity];
}

/**
 * Converts a value from the canonical unit, rounded to the digits of `unit`. Never returns -0. A difference
 * of two values is converted by {@link differenceInUnit}: 1 °C is 33.8 °F, and a difference of 1 °C is one of
 * 1.8 °F.
 */
export function inUnit(value: number, { digits, from }: Unit): number {
  return Number(from(value).toFixed(digits)) + 0;
}

/**
 * Converts a difference of two values from the canonical unit, rounded to the digits of `unit`. Never returns
 * -0.
 */
export function differenceInUnit(difference: number, { digits, from }: Unit): number {
  return Number((from(difference) - from(0)).toFixed(digits)) + 0;
}

// The unit labels that the upstreams use, with the conversions to the canonical unit.
const labels: { readonly [Q in Quantity]?: { readonly [label: string]: (value: number) => number } } = {
  temperature: {
    '°C': same,
    C: same,
    degC: same,
    '°F': (value) => ((value - 32) * 5) / 9,
    F: (value) => ((value - 32) * 5) / 9,
    degF: (value) => ((value - 32) * 5) / 9,
    K: (value) => value - 273.15,
  },
  speed: {
    'km/h': same,
    'km_h-1': same,
    'm/s': times(3.6),
    'm_s-1': times(3.6),
    mph: times(1.609344),
    'mp/h': times(1.609344),
    kn: times(1.852),
  },
  precipitation: { mm: same, inch: times(25.4), cm: times(10), m: times(1000) },
  snowfall: { cm: same, inch: times(2.54), mm: times(0.1), m: times(100) },
  depth: { m: same, ft: times(0.3048), cm: times(0.01) },
  height: { m: same, metre: same, ft: times(0.3048) },
  duration: { s: same },
  distance: { m: same, km: times(1000), ft: times(0.3048), mi: times(1609.344) },
  pressure: { hPa: same, Pa: times(0.01) },
  percent: { '%': same, percent: same },
  direction: { '°': same, 'degree_(angle)': same },
  concentration: { 'μg/m³': same, 'µg/m³': same },
  pollen: { 'grains/m³': same },
};

/** Returns the conversion from the unit with this label to the canonical unit; undefined if unknown. */
export function fromLabel(quantity: Quantity, label: string): ((value: number) => number) | undefined {
  if (quantity === 'plain') return same;
  const known = labels[quantity];
  // A wrongly decoded label has U+FFFD instead of the degree sign; the letter after it is still correct.
  const readable = label.replace('wmoUnit:', '').replace(/^\ufffd(?=[CF]?$)/, '°');
  return known && Object.hasOwn(known, readable) ? known[readable] : undefined;
}
