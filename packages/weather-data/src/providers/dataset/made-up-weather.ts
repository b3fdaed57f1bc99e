import { sunOn } from '../../model/sun.ts';
import { addDays, Zone } from '../../model/time-zone.ts';
import { spreadModels, spreadVariables } from '../open-meteo/spread.ts';
import type { SamplePlace } from './sample-places.ts';

type Json = { readonly [name: string]: unknown };
type Columns = { readonly [name: string]: readonly number[] };

const dayCount = 8;
const pastDays = 370;
const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** Returns a number from 0 to 1 that depends only on the given texts: their FNV-1a hash. */
function chance(...about: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const letter of about.join(' ')) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 0x1_0000_0000;
}

const tenth = (value: number) => Math.round(value * 10) / 10;

function dayOf({ name, mean, swing, wet }: SamplePlace, day: number) {
  const isWet = chance(name, 'wet', day) < wet;
  const middle = mean + 4 * (chance(name, 'mean', day) - 0.5) - (isWet ? 1 : 0);
  const first = 6 + Math.floor(chance(name, 'first', day) * 10);
  const strength = 0.2 + 2 * chance(name, 'strength', day);
  const rain = hours.map((hour) =>
    isWet && hour >= first && hour < first + 6 ? tenth(strength * (0.5 + chance(name, day, hour))) : 0,
  );
  const cold = middle < 0.5;
  const wind = 6 + 20 * chance(name, 'wind', day);
  return {
    temperature: hours.map((hour) => tenth(middle + (swing / 2) * Math.cos(((hour - 15) / 12) * Math.PI))),
    rain,
    snow: rain.map((amount) => (cold ? tenth(amount * 0.7) : 0)),
    code: (hour: number) => {
      if (rain[hour]! > 0) return cold ? 71 : strength > 1.2 ? 63 : 61;
      return Math.floor(chance(name, 'sky', day, Math.floor(hour / 6)) * 4);
    },
    probability: (hour: number) => (rain[hour]! > 0 ? 80 : isWet ? 35 : Math.round(20 * wet)),
    wind: hours.map((hour) => tenth(wind * (0.8 + 0.2 * Math.sin((hour - 9) / 4)))),
    direction: (hour: number) => Math.round(360 * chance(name, 'direction', day) + hour) % 360,
  };
}

/** Makes up the documents of a place for the local date `today`, in the formats of Open-Meteo. */
export class MadeUpWeather {
  readonly #place: SamplePlace;
  readonly #zone: Zone;
  readonly #today: string;

  constructor(place: SamplePlace, today: string) {
    this.#place = place;
    this.#zone = Zone.of(place.timezone);
    this.#today = today;
  }

  /** The document of a product; undefined if this place does not have it. */
  document(product: string): Json | undefined {
    switch (product) {
      case 'place':
        return this.#describe();
      case 'current':
        return this.#current();
      case 'forecast':
        return this.#forecast();
      case 'models':
        return modelsOf(this.#forecast(), this.#place.name);
      case 'history':
        return this.#history();
      case 'air-quality':
        return this.#airQuality();
      case 'marine':
        return this.#place.sea === undefined ? undefined : this.#marine(this.#place.sea);
      default:
        return undefined;
    }
  }

  #describe(): Json {
    const { countryCode, mean: _mean, swing: _swing, wet: _wet, sea: _sea, ...place } = this.#place;
    return { results: [{ ...place, country_code: countryCode, feature_code: 'PPL' }] };
  }

  get #head(): Json {
    const { latitude, longitude, elevation, timezone } = this.#place;
    return {
      latitude,
      longitude,
      elevation,
      timezone,
      utc_offset_seconds: this.#zone.offsetAt(this.#startOf(0)),
    };
  }

  /** The instant at which a day begins; 0 is today. As in Open-Meteo, all days have today's UTC offset. */
  #startOf(day: number): number {
    return this.#zone.startOf(this.#today) + day * 86_400;
  }

  #current(): Json {
    const day = dayOf(this.#place, 0);
    const hour = 14;
    return {
      ...this.#head,
      current_units: {
        ...hourlyUnits,
        cloud_cover: '%',
        pressure_msl: 'hPa',
        visibility: 'm',
        snow_depth: 'm',
      },
      current: {
        time: this.#startOf(0) + hour * 3_600 + 2_700,
        ...Object.fromEntries(Object.entries(hourOf(day, hour)).filter(([name]) => !forecastOnly.has(name))),
        is_day: 1,
        cloud_cover: day.code(hour) >= 3 ? 90 : 30 * day.code(hour),
        pressure_msl: 1_013,
        visibility: 20_000,
        snow_depth: 0,
      },
    };
  }

  #forecast(): Json & { readonly daily: Columns; readonly daily_units: Json } {
    const numbers = Array.from({ length: dayCount }, (_, day) => day);
    const days = numbers.map((day) => ({ start: this.#startOf(day), weather: dayOf(this.#place, day) }));
    const eachHour = days.flatMap(({ start, weather }) =>
      hours.map((hour) => ({ time: start + hour * 3_600, ...hourOf(weather, hour) })),
    );
    const eachDay = days.map(({ start, weather }, day) => ({
      time: start,
      ...totalsOf(weather),
      uv_index_max: tenth(Math.max(0.3, 11 - Math.abs(this.#place.latitude + 20) / 7)),
      ...this.#sunOf(day),
    }));
    return {
      ...this.#head,
      hourly_units: hourlyUnits,
      hourly: columnsOf(eachHour),
      daily_units: dailyUnits,
      daily: columnsOf(eachDay),
    };
  }

  #sunOf(day: number): { sunrise: number; sunset: number; daylight_duration: number } {
    const { sunrise, sunset, sun } = sunOn(addDays(this.#today, day), this.#zone, this.#place);
    const duration = sun === 'up all day' ? 86_400 : sun ? 0 : sunset! - sunrise!;
    // The times of a sun that is up all day are a day apart; those of one that is down are equal.
    const end = sun === 'up all day' ? 86_400 : 0;
    return { sunrise: sunrise ?? 0, sunset: sunset ?? end, daylight_duration: duration };
  }

  #history(): Json {
    const days = Array.from({ length: pastDays }, (_, index) => index - pastDays);
    const each = days.map((day) => {
      const {
        snowfall_sum: _snow,
        precipitation_probability_max: _chance,
        ...measured
      } = totalsOf(dayOf(this.#place, day));
      return { time: this.#startOf(day), ...measured };
    });
    return { ...this.#head, daily_units: dailyUnits, daily: columnsOf(each) };
  }

  #airQuality(): Json {
    const dust = 4 + 40 * chance(this.#place.name, 'dust');
    const values = {
      european_aqi: Math.round(15 + dust),
      us_aqi: Math.round(20 + 2 * dust),
      pm2_5: tenth(dust),
      pm10: tenth(dust * 1.6),
      nitrogen_dioxide: tenth(dust * 0.7),
      ozone: 50,
    };
    const micrograms = ['pm2_5', 'pm10', 'nitrogen_dioxide', 'ozone'].map((name) => [name, 'μg/m³']);
    return {
      ...this.#head,
      current_units: { european_aqi: 'EAQI', us_aqi: 'USAQI', ...Object.fromEntries(micrograms) },
      current: { time: this.#startOf(0) + 14 * 3_600, ...values },
    };
  }

  #marine(sea: number): Json {
    const { name } = this.#place;
    const each = Array.from({ length: dayCount * 24 }, (_, hour) => ({
      time: this.#startOf(0) + hour * 3_600,
      wave_height: tenth(1 + 2 * chance(name, 'waves') + Math.sin(hour / 9) / 2),
      wave_direction: Math.round(360 * chance(name, 'swell')),
      wave_period: tenth(7 + 2 * Math.sin(hour / 15)),
      sea_surface_temperature: sea,
    }));
    const units = { wave_height: 'm', wave_direction: '°', wave_period: 's', sea_surface_temperature: '°C' };
    return { ...this.#head, hourly_units: units, hourly: columnsOf(each) };
  }
}

const hourlyUnits = {
  temperature_2m: '°C',
  apparent_temperature: '°C',
  relative_humidity_2m: '%',
  precipitation_probability: '%',
  precipitation: 'mm',
  snowfall: 'cm',
  weather_code: 'wmo code',
  wind_speed_10m: 'km/h',
  wind_direction_10m: '°',
  wind_gusts_10m: 'km/h',
};

const dailyUnits = {
  weather_code: 'wmo code',
  temperature_2m_max: '°C',
  temperature_2m_min: '°C',
  precipitation_sum: 'mm',
  snowfall_sum: 'cm',
  precipitation_probability_max: '%',
  wind_speed_10m_max: 'km/h',
  wind_gusts_10m_max: 'km/h',
  uv_index_max: '',
};

const forecastOnly: ReadonlySet<string> = new Set(['precipitation_probability', 'snowfall']);

type Weather = ReturnType<typeof dayOf>;

function hourOf(day: Weather, hour: number) {
  const [temperature, wind] = [day.temperature[hour]!, day.wind[hour]!];
  return {
    temperature_2m: temperature,
    apparent_temperature: tenth(temperature - wind / 10),
    relative_humidity_2m: day.rain[hour]! > 0 ? 92 : 65,
    precipitation_probability: day.probability(hour),
    precipitation: day.rain[hour]!,
    snowfall: day.snow[hour]!,
    weather_code: day.code(hour),
    wind_speed_10m: wind,
    wind_direction_10m: day.direction(hour),
    wind_gusts_10m: tenth(wind * 1.7),
  };
}

function totalsOf(day: Weather) {
  const sum = (values: readonly number[]) => tenth(values.reduce((total, each) => total + each, 0));
  return {
    weather_code: Math.max(...hours.map((hour) => day.code(hour))),
    temperature_2m_max: Math.max(...day.temperature),
    temperature_2m_min: Math.min(...day.temperature),
    precipitation_sum: sum(day.rain),
    snowfall_sum: sum(day.snow),
    precipitation_probability_max: Math.max(...hours.map((hour) => day.probability(hour))),
    wind_speed_10m_max: Math.max(...day.wind),
    wind_gusts_10m_max: tenth(Math.max(...day.wind) * 1.7),
  };
}

function columnsOf(rows: readonly { readonly [name: string]: number }[]): Columns {
  const names = Object.keys(rows[0]!);
  return Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name]!)]));
}

/** Makes up what several models forecast. They differ from `daily` by more with every further day. */
export function modelsOf({ daily, ...head }: Json & { readonly daily: Columns }, name: string): Json {
  const columns = Object.keys(spreadModels).flatMap((model) =>
    Object.values(spreadVariables).map((variable) => [
      `${variable}_${model}`,
      daily[variable]!.map((value, day) => {
        const away = (chance(name, model, variable, day) - 0.5) * (1 + day);
        return variable === 'precipitation_sum'
          ? tenth(Math.max(0, value * (1 + away / 2)))
          : tenth(value + away);
      }),
    ]),
  );
  const units = Object.keys(spreadModels).flatMap((model) =>
    Object.values(spreadVariables).map((variable) => [
      `${variable}_${model}`,
      variable === 'precipitation_sum' ? 'mm' : '°C',
    ]),
  );
  return {
    ...head,
    daily_units: Object.fromEntries(units),
    daily: { time: daily['time'], ...Object.fromEntries(columns) },
  };
}

/** Makes up the precipitation of the next quarters of an hour after `now`, in seconds since 1970. */
export function quartersAfter(now: number, name: string): Json {
  const rains = chance(name, 'quarters') < 0.3;
  const amounts = [0, 0, 0.2, 0.4, 0.6, 0.3, 0, 0, 0];
  return {
    minutely_15_units: { precipitation: 'mm' },
    minutely_15: {
      time: amounts.map((_, index) => now + (index + 1) * 900),
      precipitation: amounts.map((amount) => (rains ? amount : 0)),
    },
  };
}
