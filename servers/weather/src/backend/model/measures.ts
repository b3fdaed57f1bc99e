/** What a number is a quantity of; decides in which units it can be told. */
export type Quantity =
  | 'temperature'
  | 'speed'
  | 'precipitation'
  | 'snowfall'
  | 'depth'
  | 'pressure'
  | 'distance'
  | 'percent'
  | 'direction'
  | 'concentration'
  | 'pollen'
  | 'plain';

interface MeasureInfo {
  readonly quantity: Quantity;
  /** How people call it. */
  readonly label: string;
  /** Lowest value that can be; what is below is no measurement. */
  readonly least?: number;
  /** About the hour before the time it is given for, and not about that moment. */
  readonly precedingHour?: boolean;
}

/** Everything that is measured or forecast, each in one canonical unit: °C, km/h, mm, cm of snow, m, hPa, %, °. */
export const measures = {
  temperature: { quantity: 'temperature', label: 'temperature', least: -273.15 },
  feelsLike: { quantity: 'temperature', label: 'feels like', least: -273.15 },
  dewPoint: { quantity: 'temperature', label: 'dew point', least: -273.15 },
  temperatureMax: { quantity: 'temperature', label: 'high', least: -273.15 },
  temperatureMin: { quantity: 'temperature', label: 'low', least: -273.15 },
  humidity: { quantity: 'percent', label: 'humidity', least: 0 },
  cloudCover: { quantity: 'percent', label: 'cloud cover', least: 0 },
  precipitation: {
    quantity: 'precipitation',
    label: 'precipitation',
    least: 0,
    precedingHour: true,
  },
  precipitationChance: {
    quantity: 'percent',
    label: 'chance of precipitation',
    least: 0,
    precedingHour: true,
  },
  snowfall: { quantity: 'snowfall', label: 'snowfall', least: 0, precedingHour: true },
  snowDepth: { quantity: 'depth', label: 'snow depth', least: 0 },
  visibility: { quantity: 'distance', label: 'visibility', least: 0 },
  pressure: { quantity: 'pressure', label: 'pressure', least: 0 },
  windSpeed: { quantity: 'speed', label: 'wind', least: 0 },
  /** The lower end where a wind is given as a range; `windSpeed` is the upper. */
  windSpeedLow: { quantity: 'speed', label: 'wind from', least: 0 },
  windGusts: { quantity: 'speed', label: 'gusts', least: 0 },
  windDirection: { quantity: 'direction', label: 'wind direction', least: 0 },
  uvIndex: { quantity: 'plain', label: 'UV index', least: 0 },
  weatherCode: { quantity: 'plain', label: 'weather code' },
  isDay: { quantity: 'plain', label: 'day', least: 0 },
} as const satisfies { readonly [name: string]: MeasureInfo };

export type Measure = keyof typeof measures;

/** Values by what they measure. A measure that is missing was not asked for; null is "no data". */
export type Values = { readonly [M in Measure]?: number | null };

export function infoOf(measure: Measure): MeasureInfo {
  return measures[measure];
}
