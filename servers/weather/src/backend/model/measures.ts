/** The kind of quantity of a measure, which decides its units. */
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

interface MeasureInfo {
  readonly quantity: Quantity;
  /** Its name in texts. */
  readonly label: string;
  /** The lowest possible value; lower ones are invalid. */
  readonly min?: number;
  /** Whether the value is for the hour before its time, and not for that instant. */
  readonly precedingHour?: boolean;
}

/** All measures, each in one canonical unit: °C, km/h, mm, cm of snow, m, hPa, %, °, s. */
export const measures = {
  temperature: { quantity: 'temperature', label: 'temperature', min: -273.15 },
  feelsLike: { quantity: 'temperature', label: 'feels like', min: -273.15 },
  dewPoint: { quantity: 'temperature', label: 'dew point', min: -273.15 },
  temperatureMax: { quantity: 'temperature', label: 'high', min: -273.15 },
  temperatureMin: { quantity: 'temperature', label: 'low', min: -273.15 },
  humidity: { quantity: 'percent', label: 'humidity', min: 0 },
  cloudCover: { quantity: 'percent', label: 'cloud cover', min: 0 },
  precipitation: {
    quantity: 'precipitation',
    label: 'precipitation',
    min: 0,
    precedingHour: true,
  },
  precipitationChance: {
    quantity: 'percent',
    label: 'chance of precipitation',
    min: 0,
    precedingHour: true,
  },
  snowfall: { quantity: 'snowfall', label: 'snowfall', min: 0, precedingHour: true },
  snowDepth: { quantity: 'depth', label: 'snow depth', min: 0 },
  visibility: { quantity: 'distance', label: 'visibility', min: 0 },
  pressure: { quantity: 'pressure', label: 'pressure', min: 0 },
  windSpeed: { quantity: 'speed', label: 'wind', min: 0 },
  /** The lower end of a wind given as a range; `windSpeed` is the upper end. */
  windSpeedLow: { quantity: 'speed', label: 'wind from', min: 0 },
  windGusts: { quantity: 'speed', label: 'gusts', min: 0 },
  windDirection: { quantity: 'direction', label: 'wind direction', min: 0 },
  uvIndex: { quantity: 'plain', label: 'UV index', min: 0 },
  weatherCode: { quantity: 'plain', label: 'weather code' },
  waveHeight: { quantity: 'height', label: 'waves', min: 0 },
  waveDirection: { quantity: 'direction', label: 'wave direction', min: 0 },
  wavePeriod: { quantity: 'duration', label: 'wave period', min: 0 },
  windWaveHeight: { quantity: 'height', label: 'wind waves', min: 0 },
  swellHeight: { quantity: 'height', label: 'swell', min: 0 },
  swellDirection: { quantity: 'direction', label: 'swell direction', min: 0 },
  swellPeriod: { quantity: 'duration', label: 'swell period', min: 0 },
  seaTemperature: { quantity: 'temperature', label: 'sea temperature', min: -273.15 },
  seaLevel: { quantity: 'height', label: 'sea level' },
  currentSpeed: { quantity: 'speed', label: 'current', min: 0 },
  currentDirection: { quantity: 'direction', label: 'current direction', min: 0 },
  isDay: { quantity: 'plain', label: 'day', min: 0 },
} as const satisfies { readonly [name: string]: MeasureInfo };

export type Measure = keyof typeof measures;

/** Values by measure. A missing measure was not requested; null means "no data". */
export type Values = { readonly [M in Measure]?: number | null };

export function infoOf(measure: Measure): MeasureInfo {
  return measures[measure];
}
