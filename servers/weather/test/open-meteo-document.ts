import { Zone } from '@mcp/weather-data';

export interface DocumentOptions {
  readonly timezone: string;
  /** The first local date, and how many there are. */
  readonly start: string;
  readonly days: number;
  /** When it is asked, which decides about the one offset that Open-Meteo counts with. */
  readonly askedAt: string;
  readonly timeformat?: 'unixtime' | 'iso8601';
  /** Values of an hour, from its instant in seconds. */
  readonly temperature?: (instant: number) => number | null;
  readonly precipitation?: (instant: number) => number | null;
  readonly latitude?: number;
  readonly longitude?: number;
}

/**
 * A reply as Open-Meteo makes it: one offset, that of the moment when it is asked, for all hours and all
 * days. Local times beyond a change of the clocks are off by it, instants are not.
 *
 * @see https://github.com/open-meteo/open-meteo/issues/488
 */
export function openMeteoDocument(options: DocumentOptions): { [name: string]: unknown } {
  const {
    timezone,
    start,
    days,
    askedAt,
    timeformat = 'unixtime',
    latitude = 52.52,
    longitude = 13.42,
  } = options;
  const { temperature = () => 10, precipitation = () => 0 } = options;
  const offset = Zone.of(timezone).offsetAt(Date.parse(askedAt) / 1000);
  const first = Date.parse(`${start}T00:00Z`) / 1000 - offset;
  const hours = Array.from({ length: days * 24 }, (_, index) => first + index * 3600);
  const local = (instant: number) => new Date((instant + offset) * 1000).toISOString();
  const time = (instant: number) => (timeformat === 'unixtime' ? instant : local(instant).slice(0, 16));
  const daily = Array.from({ length: days }, (_, index) => hours.slice(index * 24, index * 24 + 24));
  const known = (values: (number | null)[]) => values.filter((value) => value !== null);
  const unit = { time: timeformat };
  return {
    latitude,
    longitude,
    generationtime_ms: 0.5,
    utc_offset_seconds: offset,
    timezone,
    timezone_abbreviation: 'GMT+1',
    elevation: 38,
    hourly_units: { ...unit, temperature_2m: '°C', precipitation: 'mm' },
    hourly: {
      time: hours.map(time),
      temperature_2m: hours.map(temperature),
      precipitation: hours.map(precipitation),
    },
    daily_units: {
      ...unit,
      temperature_2m_max: '°C',
      temperature_2m_min: '°C',
      precipitation_sum: 'mm',
      sunrise: timeformat,
      sunset: timeformat,
    },
    daily: {
      time: daily.map(([midnight]) => (timeformat === 'unixtime' ? midnight : local(midnight!).slice(0, 10))),
      temperature_2m_max: daily.map((each) => Math.max(...known(each.map(temperature)))),
      temperature_2m_min: daily.map((each) => Math.min(...known(each.map(temperature)))),
      precipitation_sum: daily.map((each) =>
        known(each.map(precipitation)).reduce((sum, value) => sum + value, 0),
      ),
      sunrise: daily.map(([midnight]) => time(midnight! + 7 * 3600)),
      sunset: daily.map(([midnight]) => time(midnight! + 17 * 3600)),
    },
  };
}
