/** The physical quantity of a measure. It decides in which units the measure is shown. */
export type Quantity =
  | 'temperature'
  | 'speed'
  | 'precipitation'
  | 'snowfall'
  | 'depth'
  | 'height'
  | 'duration'
  | 'pressure'
  | 'distance'
  | 'percent'
  | 'direction'
  | 'concentration'
  | 'pollen'
  | 'plain';

/** What is known about a measure whatever the source. */
export interface MeasureInfo {
  readonly quantity: Quantity;
  /** The name of the measure in texts. */
  readonly label: string;
  /** The lowest possible value; `max` is the highest. Both are beyond all records. */
  readonly min?: number;
  readonly max?: number;
  /** Whether a value describes the hour before its time instead of the instant. */
  readonly precedingHour?: boolean;
}

const marine = {
  waveHeight: { quantity: 'height', label: 'waves', min: 0, max: 100 },
  waveDirection: { quantity: 'direction', label: 'wave direction', min: 0, max: 360 },
  wavePeriod: { quantity: 'duration', label: 'wave period', min: 0, max: 1_000 },
  windWaveHeight: { quantity: 'height', label: 'wind waves', min: 0, max: 100 },
  swellHeight: { quantity: 'height', label: 'swell', min: 0, max: 100 },
  swellDirection: { quantity: 'direction', label: 'swell direction', min: 0, max: 360 },
  swellPeriod: { quantity: 'duration', label: 'swell period', min: 0, max: 1_000 },
  seaTemperature: { quantity: 'temperature', label: 'sea temperature', min: -20, max: 100 },
  seaLevel: { quantity: 'height', label: 'sea level', min: -100, max: 100 },
  currentSpeed: { quantity: 'speed', label: 'current', min: 0, max: 100 },
  currentDirection: { quantity: 'direction', label: 'current direction', min: 0, max: 360 },
} as const satisfies { readonly [name: string]: MeasureInfo };

/** All measures, each in one canonical unit: °C, km/h, mm, cm of snow, m, hPa, %, °, s. */
const measures = {
  temperature: { quantity: 'temperature', label: 'temperature', min: -150, max: 100 },
  feelsLike: { quantity: 'temperature', label: 'feels like', min: -200, max: 150 },
  dewPoint: { quantity: 'temperature', label: 'dew point', min: -150, max: 100 },
  temperatureMax: { quantity: 'temperature', label: 'high', min: -150, max: 100 },
  temperatureMin: { quantity: 'temperature', label: 'low', min: -150, max: 100 },
  humidity: { quantity: 'percent', label: 'humidity', min: 0, max: 110 },
  cloudCover: { quantity: 'percent', label: 'cloud cover', min: 0, max: 100 },
  precipitation: {
    quantity: 'precipitation',
    label: 'precipitation',
    min: 0,
    max: 5_000,
    precedingHour: true,
  },
  precipitationChance: {
    quantity: 'percent',
    label: 'chance of precipitation',
    min: 0,
    max: 100,
    precedingHour: true,
  },
  snowfall: { quantity: 'snowfall', label: 'snowfall', min: 0, max: 2_000, precedingHour: true },
  snowDepth: { quantity: 'depth', label: 'snow depth', min: 0, max: 5_000 },
  visibility: { quantity: 'distance', label: 'visibility', min: 0, max: 1_000_000 },
  pressure: { quantity: 'pressure', label: 'pressure', min: 300, max: 1_300 },
  windSpeed: { quantity: 'speed', label: 'wind', min: 0, max: 1_000 },
  /** The lower end of the wind speed if the source gives a range; `windSpeed` is then the upper end. */
  windSpeedLow: { quantity: 'speed', label: 'wind from', min: 0, max: 1_000 },
  windGusts: { quantity: 'speed', label: 'gusts', min: 0, max: 1_000 },
  windDirection: { quantity: 'direction', label: 'wind direction', min: 0, max: 360 },
  uvIndex: { quantity: 'plain', label: 'UV index', min: 0, max: 100 },
  weatherCode: { quantity: 'plain', label: 'weather code' },
  ...marine,
  isDay: { quantity: 'plain', label: 'day', min: 0, max: 1 },
} as const satisfies { readonly [name: string]: MeasureInfo };

export type Measure = keyof typeof measures;

export const measureNames = Object.keys(measures) as readonly Measure[];

/** The measures of the sea, which a separate forecast contains. */
export const marineMeasures = Object.keys(marine) as readonly (keyof typeof marine)[];

/** Values by measure. A measure that is missing was not requested; null means that there is no data. */
export type Values = { readonly [M in Measure]?: number | null };

/** Returns the quantity of a measure, which decides its unit, its name in texts, and its possible values. */
export function infoOf(measure: Measure): MeasureInfo {
  return measures[measure];
}

/** The lowest and the highest possible elevation of a place, in metres. */
const elevationRange = { min: -500, max: 9_000 };

/** Returns an elevation in metres; undefined for an impossible one. */
export function elevationOf(metres: number | null | undefined): number | undefined {
  return typeof metres === 'number' && isWithin(metres, elevationRange) ? metres : undefined;
}

export function isWithin(
  value: number,
  { min = -Infinity, max = Infinity }: Pick<MeasureInfo, 'min' | 'max'>,
): boolean {
  return Number.isFinite(value) && value >= min && value <= max;
}

/** How a value of a source is checked and converted to the unit of its measure. */
interface SourceValue {
  /** The name of the value in the documents of the source. */
  readonly name: string;
  /** The possible values in the canonical unit. */
  readonly range: Pick<MeasureInfo, 'min' | 'max'>;
  /** Converts a value to the canonical unit of its measure. */
  readonly convert: (value: number) => number;
}

/** Returns a value in the canonical unit. An impossible value becomes null, with one note for each name. */
export function canonicalValue(
  value: number,
  { name, range, convert }: SourceValue,
  notes: Set<string>,
): number | null {
  const canonical = convert(value);
  if (isWithin(canonical, range)) return canonical;
  const start = `${name} has impossible values`;
  if (![...notes].some((note) => note.startsWith(start)))
    notes.add(`${start} such as ${value}; treated as no data`);
  return null;
}
