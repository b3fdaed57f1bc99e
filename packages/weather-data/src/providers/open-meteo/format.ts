import { isObject } from '@mcp/kit';
import { type Coordinates, coordinatesIn, distanceKm } from '../../places/coordinates.ts';
import { quoted } from '../../errors.ts';
import { invalidReply, type Json, listIn, member, numberIn, objectIn, textIn } from '../../json-fields.ts';
import {
  elevationOf,
  canonicalValue,
  infoOf,
  type Measure,
  type Quantity,
  type Values,
} from '../../model/measures.ts';
import { localDays } from '../../model/local-days.ts';
import { fromLabel } from '../../model/units.ts';
import type { Day, Moment, Series } from '../../model/series.ts';
import { isDate, isInstant, maxOffsetSeconds, Zone } from '../../model/time-zone.ts';

/** The API's name of the variable for each measure. Requests and parsing use the same tables. */
export type Variables = { readonly [M in Measure]?: string };

const instantVariables: Variables = {
  temperature: 'temperature_2m',
  feelsLike: 'apparent_temperature',
  humidity: 'relative_humidity_2m',
  precipitation: 'precipitation',
  weatherCode: 'weather_code',
  windSpeed: 'wind_speed_10m',
  windDirection: 'wind_direction_10m',
  windGusts: 'wind_gusts_10m',
};

export const currentVariables: Variables = {
  ...instantVariables,
  cloudCover: 'cloud_cover',
  pressure: 'pressure_msl',
  visibility: 'visibility',
  snowDepth: 'snow_depth',
  isDay: 'is_day',
};

export const hourlyVariables: Variables = {
  ...instantVariables,
  precipitationChance: 'precipitation_probability',
  snowfall: 'snowfall',
};

/** The variables of quarters of an hour. The API has more, but only for some countries. */
export const quarterVariables: Variables = { precipitation: 'precipitation' };

export const marineVariables: Variables = {
  waveHeight: 'wave_height',
  waveDirection: 'wave_direction',
  wavePeriod: 'wave_period',
  windWaveHeight: 'wind_wave_height',
  swellHeight: 'swell_wave_height',
  swellDirection: 'swell_wave_direction',
  swellPeriod: 'swell_wave_period',
  seaTemperature: 'sea_surface_temperature',
  seaLevel: 'sea_level_height_msl',
  currentSpeed: 'ocean_current_velocity',
  currentDirection: 'ocean_current_direction',
};

export const dailyVariables: Variables = {
  weatherCode: 'weather_code',
  temperatureMax: 'temperature_2m_max',
  temperatureMin: 'temperature_2m_min',
  precipitation: 'precipitation_sum',
  snowfall: 'snowfall_sum',
  precipitationChance: 'precipitation_probability_max',
  windSpeed: 'wind_speed_10m_max',
  windGusts: 'wind_gusts_10m_max',
  uvIndex: 'uv_index_max',
};

/** Maximum number of times in a reply: the hours of the longest range, 366 days, and of a few days more. */
const maxTimes = 24 * 370;

/** The maximum number of characters of an unknown unit that a note repeats. */
const maxLabelLength = 20;

/** The API's names of the daily variables about the sun. */
export const sunVariables = ['sunrise', 'sunset', 'daylight_duration'];

/**
 * Parses a reply of the forecast, archive or marine API, with times as `unixtime` or as local text.
 * @see https://open-meteo.com/en/docs
 */
export function readSeries(
  document: unknown,
  near: Coordinates | undefined,
  variables: Variables = hourlyVariables,
): Series {
  const reply = oneReply(document, near);
  const offset = offsetOf(reply);
  const zone = Zone.of(textIn(reply, 'timezone'), offset);
  const notes = new Set<string>();

  const currentBlock = objectIn(reply, 'current');
  const hourly = objectIn(reply, 'hourly');
  const daily = objectIn(reply, 'daily');
  if (!currentBlock && !hourly && !daily) {
    throw invalidReply('The document of Open-Meteo has neither current nor hourly nor daily values');
  }
  const quarterly = objectIn(reply, 'minutely_15');
  const hours = hourly ? readTimes(reply, 'hourly', variables, { offset, notes }) : [];
  const days = daily ? readDays(reply, daily, offset, notes) : [];
  return {
    grid: coordinatesIn(member(reply, 'latitude'), member(reply, 'longitude')),
    elevation: elevationOf(numberIn(reply, 'elevation')),
    zone,
    issuedAt: null,
    current: currentBlock && readCurrent(reply, currentBlock, offset, notes),
    ...(quarterly && { quarters: readTimes(reply, 'minutely_15', quarterVariables, { offset, notes }) }),
    hours,
    days: localDays(days, hours, { zone, offset, notes }),
    notes: [...notes],
  };
}

/** Returns the UTC offset of a reply in seconds; 0 if it has none. Throws a `WeatherError` if impossible. */
export function offsetOf(reply: Json): number {
  const offset = numberIn(reply, 'utc_offset_seconds') ?? 0;
  if (Math.abs(offset) <= maxOffsetSeconds) return offset;
  throw invalidReply(`The document of Open-Meteo has the impossible offset from UTC ${offset}`);
}

/** Returns the reply for one place; from a list, the reply for the place nearest to `near`. */
export function oneReply(document: unknown, near: Coordinates | undefined): Json {
  if (isObject(document)) return document;
  const replies = Array.isArray(document) ? document.filter(isObject) : [];
  const distance = (reply: Json) => {
    const at = coordinatesIn(reply['latitude'], reply['longitude']);
    return at && near ? distanceKm(at, near) : Infinity;
  };
  const best = replies.toSorted((a, b) => distance(a) - distance(b))[0];
  if (!best) throw invalidReply('The document of Open-Meteo is not an object');
  return best;
}

function readCurrent(reply: Json, block: Json, offset: number, notes: Set<string>): Moment {
  const time = instantOf(block['time'], offset);
  if (time === undefined) throw invalidReply('The current values of Open-Meteo have no time');
  const units = objectIn(reply, 'current_units');
  const values: { [name: string]: number | null } = {};
  for (const { measure, variable } of present(currentVariables, block)) {
    const convert = converter(infoOf(measure).quantity, variable, units, notes);
    values[measure] = valueOf(block[variable], measure, convert, variable, notes);
  }
  noteMissing('current', values, notes);
  return { time, values };
}

function readTimes(
  reply: Json,
  name: 'hourly' | 'minutely_15',
  variables: Variables,
  { offset, notes }: { readonly offset: number; readonly notes: Set<string> },
): Moment[] {
  const block = objectIn(reply, name) ?? {};
  const times = timesOf(block, name).map((time) => instantOf(time, offset));
  const columns = readColumns(variables, block, objectIn(reply, `${name}_units`), times.length, notes);
  return times.flatMap((time, index) =>
    time === undefined ? [] : [{ time, values: rowOf(columns, index) }],
  );
}

function readDays(reply: Json, block: Json, offset: number, notes: Set<string>): Day[] {
  const times = timesOf(block, 'daily');
  const columns = readColumns(dailyVariables, block, objectIn(reply, 'daily_units'), times.length, notes);
  const instants = (name: string) => {
    const list = listIn(block, name);
    return list?.length === times.length ? list : [];
  };
  const [sunrises, sunsets, durations] = sunVariables.map(instants);
  return times.flatMap((time, index) => {
    const date = dateOf(time, offset);
    if (date === undefined) return [];
    const sunrise = instantOf(sunrises![index], offset) ?? null;
    const sunset = instantOf(sunsets![index], offset) ?? null;
    return [{ date, values: rowOf(columns, index), ...sunOf(sunrise, sunset, durations![index]) }];
  });
}

/**
 * In Open-Meteo, equal times of sunrise and sunset mean that the sun is down all day. Times that are a day
 * apart mean that it is up all day.
 */
function sunOf(
  sunrise: number | null,
  sunset: number | null,
  duration: unknown,
): Pick<Day, 'sunrise' | 'sunset' | 'sun'> {
  const known = sunrise !== null && sunset !== null;
  if (duration === 0 || (known && sunset === sunrise)) {
    return { sunrise: null, sunset: null, sun: 'down all day' };
  }
  if (duration === 86_400 || (known && sunset - sunrise >= 86_400)) {
    return { sunrise: null, sunset: null, sun: 'up all day' };
  }
  return { sunrise, sunset };
}

function timesOf(block: Json, name: string): readonly unknown[] {
  const times = listIn(block, 'time');
  if (!times) throw invalidReply(`The ${name} values of Open-Meteo have no times`);
  if (times.length > maxTimes)
    throw invalidReply(
      `The ${name} values of Open-Meteo have ${times.length} times; expected at most ${maxTimes}`,
    );
  return times;
}

type Columns = readonly { readonly measure: Measure; readonly values: readonly (number | null)[] }[];

function readColumns(
  variables: Variables,
  block: Json,
  units: Json | undefined,
  length: number,
  notes: Set<string>,
): Columns {
  return present(variables, block).map(({ measure, variable }) => {
    const given = block[variable];
    if (!Array.isArray(given) || given.length !== length) {
      // With another number of values than of times, it is unknown to which time each value belongs.
      notes.add(`${variable} does not have one value for each of ${length} times; treated as no data`);
      return { measure, values: Array.from({ length }, () => null) };
    }
    const convert = converter(infoOf(measure).quantity, variable, units, notes);
    return { measure, values: given.map((value) => valueOf(value, measure, convert, variable, notes)) };
  });
}

function rowOf(columns: Columns, index: number): Values {
  return Object.fromEntries(columns.map(({ measure, values }) => [measure, values[index] ?? null]));
}

function present(variables: Variables, block: Json): { measure: Measure; variable: string }[] {
  return Object.entries(variables)
    .filter(([, variable]) => Object.hasOwn(block, variable))
    .map(([measure, variable]) => ({ measure: measure as Measure, variable }));
}

type Convert = ((value: number) => number) | undefined;

/** Returns a function that converts values to the canonical unit; undefined for an unknown unit. */
export function converter(
  quantity: Quantity,
  variable: string,
  units: Json | undefined,
  notes: Set<string>,
): Convert {
  const label = textIn(units, variable);
  if (label === undefined) {
    if (quantity !== 'plain') {
      notes.add(
        'The document of Open-Meteo does not name all units; the defaults of the API are assumed (°C, km/h, mm)',
      );
    }
    return (value) => value;
  }
  const convert = fromLabel(quantity, label);
  if (!convert)
    notes.add(`${variable} has the unknown unit ${quoted(label, maxLabelLength)}; treated as no data`);
  return convert;
}

function valueOf(
  value: unknown,
  measure: Measure,
  convert: Convert,
  variable: string,
  notes: Set<string>,
): number | null {
  if (typeof value !== 'number' || !Number.isFinite(value) || !convert) return null;
  return canonicalValue(value, { name: variable, range: infoOf(measure), convert }, notes);
}

function noteMissing(block: string, values: Values, notes: Set<string>): void {
  const all = Object.values(values);
  if (all.length > 0 && all.every((value) => value === null))
    notes.add(`The ${block} values are all missing`);
}

/**
 * Returns the instant of a time in a reply, in seconds since 1970; undefined if the time is invalid. `offset`
 * is the UTC offset at the time of the request: Open-Meteo adds it to all local times, even after a clock
 * change.
 */
export function instantOf(time: unknown, offset: number): number | undefined {
  if (typeof time === 'number') return isInstant(time) ? time : undefined;
  if (typeof time !== 'string' || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(time)) return undefined;
  const instant = Date.parse(`${time}Z`) / 1000 - offset;
  return isInstant(instant) ? instant : undefined;
}

/** Returns the local date of a time in a reply; undefined if the time is invalid. */
export function dateOf(time: unknown, offset: number): string | undefined {
  if (typeof time === 'string') return isDate(time) ? time : undefined;
  if (typeof time !== 'number' || !isInstant(time)) return undefined;
  return new Date((time + offset) * 1000).toISOString().slice(0, 10);
}
