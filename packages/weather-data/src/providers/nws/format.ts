import { isObject } from '@mcp/kit';
import { degreesOf } from '../../model/compass.ts';
import { type Coordinates, coordinatesIn } from '../../places/coordinates.ts';
import {
  invalidReply,
  type Json,
  lineIn,
  listIn,
  member,
  numberIn,
  objectIn,
  textIn,
} from '../../json-fields.ts';
import { elevationOf, canonicalValue, infoOf, type Measure, type Values } from '../../model/measures.ts';
import { dayFromHours } from '../../model/local-days.ts';
import { fromLabel } from '../../model/units.ts';
import type { Day, Moment, Series } from '../../model/series.ts';
import { isInstant, Zone } from '../../model/time-zone.ts';

/** The reply of `/points`: the URLs of the forecasts of a grid cell, and facts about its surroundings. */
export interface GridPoint {
  readonly forecast: string;
  readonly hourly: string;
  readonly stations: string;
  readonly timezone: string | undefined;
}

/**
 * Parses the reply of `/points`.
 * @see https://www.weather.gov/documentation/services-web-api
 */
export function readPoint(document: unknown): GridPoint {
  const properties = objectIn(document, 'properties');
  const forecast = textIn(properties, 'forecast');
  const hourly = textIn(properties, 'forecastHourly');
  const stations = textIn(properties, 'observationStations');
  if (forecast === undefined || hourly === undefined || stations === undefined) {
    throw invalidReply('The description of the point by NWS has no forecast');
  }
  return {
    forecast,
    hourly,
    stations,
    timezone: textIn(properties, 'timeZone'),
  };
}

/** Returns the id of the first station in the reply, which is the nearest one. */
export function readStation(document: unknown): string {
  const [first] = listIn(document, 'features') ?? [];
  const id = textIn(objectIn(first, 'properties'), 'stationIdentifier');
  if (id === undefined || !/^[\w-]{1,20}$/.test(id))
    throw invalidReply('The list of stations of NWS is empty');
  return id;
}

/** Parses the latest observation of a station. */
export function readObservation(document: unknown, timezone: string | undefined): Series {
  const properties = objectIn(document, 'properties');
  const time = instantIn(properties, 'timestamp');
  if (!properties || time === undefined) throw invalidReply('The observation of NWS has no time');
  const notes = new Set<string>();
  const values: { [name: string]: number | null } = {};
  for (const [measure, name] of Object.entries(observed)) {
    values[measure] = quantityOf(properties[name], measure as Measure, notes, name);
  }
  values['feelsLike'] =
    quantityOf(properties['heatIndex'], 'feelsLike', notes, 'heatIndex') ??
    quantityOf(properties['windChill'], 'feelsLike', notes, 'windChill') ??
    values['temperature'] ??
    null;
  const text = lineIn(properties, 'textDescription');
  return {
    grid: pointOf(document),
    elevation: elevationIn(properties),
    zone: Zone.of(timezone, offsetIn(properties, 'timestamp')),
    issuedAt: time,
    current: { time, values: values as Values, ...(text && { text }) },
    hours: [],
    days: [],
    notes: [...notes],
  };
}

const observed: { readonly [M in Measure]?: string } = {
  temperature: 'temperature',
  dewPoint: 'dewpoint',
  humidity: 'relativeHumidity',
  precipitation: 'precipitationLastHour',
  pressure: 'seaLevelPressure',
  windSpeed: 'windSpeed',
  windDirection: 'windDirection',
  windGusts: 'windGust',
  visibility: 'visibility',
};

/** Parses a forecast. Days are composed from the hours and from `halves`, the forecast by day and night. */
export function readNwsForecast(hourly: unknown, halves: unknown, timezone: string | undefined): Series {
  const properties = objectIn(hourly, 'properties') ?? objectIn(halves, 'properties');
  const notes = new Set<string>();
  const rows = periodsIn(hourly);
  const [first] = rows.length > 0 ? rows : periodsIn(halves);
  if (!properties || !first) throw invalidReply('The forecast of NWS has no periods');
  const zone = Zone.of(timezone, offsetIn(first, 'startTime'));
  const hours = rows.map((period) => momentOf(period, notes));
  return {
    grid: pointOf(hourly) ?? pointOf(halves),
    elevation: elevationIn(properties),
    zone,
    issuedAt: instantIn(properties, 'updateTime') ?? instantIn(properties, 'generatedAt') ?? null,
    current: undefined,
    hours,
    days: daysOf(hours, periodsIn(halves), zone, notes),
    notes: [...notes],
  };
}

function daysOf(hours: readonly Moment[], halves: readonly Json[], zone: Zone, notes: Set<string>): Day[] {
  const dates = new Map<string, { text?: string; values: Values }>();
  for (const { time } of hours) dates.set(zone.dateAt(time), { values: {} });
  for (const period of halves) {
    const start = instantIn(period, 'startTime');
    if (start === undefined) continue;
    const date = zone.dateAt(start);
    const day = dates.get(date) ?? { values: {} };
    const { values } = momentOf(period, notes);
    const isDay = member(period, 'isDaytime') === true;
    const words = lineIn(period, 'shortForecast') ?? '';
    dates.set(date, {
      text: [day.text, isDay ? words : `night: ${words}`].filter(Boolean).join('; '),
      values: {
        ...day.values,
        [isDay ? 'temperatureMax' : 'temperatureMin']: values.temperature ?? null,
        precipitationChance: Math.max(day.values.precipitationChance ?? 0, values.precipitationChance ?? 0),
        windSpeed: Math.max(day.values.windSpeed ?? 0, values.windSpeed ?? 0),
      },
    });
  }
  return [...dates]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, { text, values }]) => {
      const computed = dayFromHours(date, hours, zone);
      // A night period belongs to two dates, so values computed from complete hours are preferred.
      const complete = computed?.incomplete === undefined ? computed?.values : undefined;
      return {
        date,
        values: { ...computed?.values, ...values, ...complete },
        ...(text !== undefined && text !== '' && { text }),
        ...(computed?.incomplete !== undefined && { incomplete: computed.incomplete }),
        sunrise: null,
        sunset: null,
      };
    });
}

function periodsIn(document: unknown): readonly Json[] {
  return (listIn(objectIn(document, 'properties'), 'periods') ?? [])
    .slice(0, 400)
    .filter((period) => isObject(period) && instantIn(period, 'startTime') !== undefined) as Json[];
}

function momentOf(period: Json, notes: Set<string>): Moment {
  const wind = windOf(member(period, 'windSpeed'), notes);
  const direction = textIn(period, 'windDirection');
  const text = lineIn(period, 'shortForecast');
  const values: Values = {
    temperature: temperatureOf(period, notes),
    dewPoint: quantityOf(period['dewpoint'], 'dewPoint', notes, 'dewpoint'),
    humidity: quantityOf(period['relativeHumidity'], 'humidity', notes, 'relativeHumidity'),
    precipitationChance: quantityOf(
      period['probabilityOfPrecipitation'],
      'precipitationChance',
      notes,
      'probabilityOfPrecipitation',
    ),
    windSpeed: wind?.high ?? null,
    ...(wind && wind.low !== wind.high && { windSpeedLow: wind.low }),
    windDirection: direction === undefined ? null : degreesOf(direction),
    ...(typeof period['isDaytime'] === 'boolean' && { isDay: period['isDaytime'] ? 1 : 0 }),
  };
  return { time: instantIn(period, 'startTime') ?? 0, values, ...(text && { text }) };
}

/** Reads a temperature: a number with a separate unit or, if a feature flag of the API is on, an object. */
function temperatureOf(period: Json, notes: Set<string>): number | null {
  const given = period['temperature'];
  if (typeof given !== 'number') return quantityOf(given, 'temperature', notes, 'temperature');
  const convert = fromLabel('temperature', textIn(period, 'temperatureUnit') ?? 'F');
  return convert
    ? canonicalValue(given, { name: 'temperature', range: infoOf('temperature'), convert }, notes)
    : null;
}

/** Reads a wind speed: `7 mph`, `5 to 10 mph`, or an object with a unit and one or two values. */
function windOf(given: unknown, notes: Set<string>): { low: number; high: number } | undefined {
  if (typeof given === 'string') {
    const [, low, high = low, unit = ''] =
      /^(\d+(?:\.\d+)?)(?:\s+to\s+(\d+(?:\.\d+)?))?\s*(\S+)?/.exec(given) ?? [];
    return low === undefined ? undefined : rangeOf(Number(low), Number(high), unit, notes);
  }
  const [low, high] = [numberIn(given, 'minValue'), numberIn(given, 'maxValue')];
  if (low !== undefined && high !== undefined)
    return rangeOf(low, high, textIn(given, 'unitCode') ?? '', notes);
  const value = quantityOf(given, 'windSpeed', notes, 'windSpeed');
  return value === null ? undefined : { low: value, high: value };
}

function rangeOf(
  low: number,
  high: number,
  unit: string,
  notes: Set<string>,
): { low: number; high: number } | undefined {
  const convert = fromLabel('speed', unit);
  if (!convert) return undefined;
  const speed = { name: 'windSpeed', range: infoOf('windSpeed'), convert };
  const [from, to] = [low, high].map((value) => canonicalValue(value, speed, notes));
  return typeof from === 'number' && typeof to === 'number' ? { low: from, high: to } : undefined;
}

/** Reads `{unitCode, value}`. A value that failed the source's quality control becomes null, as "no data". */
function quantityOf(given: unknown, measure: Measure, notes: Set<string>, name: string): number | null {
  const value = numberIn(given, 'value');
  if (value === undefined) return null;
  if (textIn(given, 'qualityControl') === 'X') {
    notes.add(`${name} failed the quality control of its source; treated as no data`);
    return null;
  }
  const convert = fromLabel(infoOf(measure).quantity, textIn(given, 'unitCode') ?? '');
  return convert ? canonicalValue(value, { name, range: infoOf(measure), convert }, notes) : null;
}

function elevationIn(properties: Json): number | undefined {
  const given = properties['elevation'];
  const value = numberIn(given, 'value');
  const convert = fromLabel('depth', textIn(given, 'unitCode') ?? '');
  return elevationOf(value === undefined || !convert ? undefined : convert(value));
}

/** The position of the data: the centre of the grid cell, or the position of the station. */
function pointOf(document: unknown): Coordinates | undefined {
  const geometry = objectIn(document, 'geometry');
  const given = listIn(geometry, 'coordinates');
  if (textIn(geometry, 'type') === 'Point') return coordinatesIn(given?.[1], given?.[0]);
  const ring: readonly unknown[] = Array.isArray(given?.[0]) ? given[0].slice(0, -1) : [];
  const corners = ring.map((corner) =>
    Array.isArray(corner) ? coordinatesIn(corner[1], corner[0]) : undefined,
  );
  if (corners.length === 0 || corners.some((corner) => corner === undefined)) return undefined;
  const mean = (pick: (at: Coordinates) => number) =>
    corners.reduce((total, corner) => total + pick(corner!), 0) / corners.length;
  return { latitude: mean((at) => at.latitude), longitude: mean((at) => at.longitude) };
}

/** Returns the instant of an ISO 8601 text, in s since 1970; undefined if implausible or without offset. */
export function instantIn(value: unknown, name: string): number | undefined {
  const text = textIn(value, name);
  // JavaScript would read a time without an offset in the time zone of this machine.
  if (text === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d.*(?:Z|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  const instant = Date.parse(text) / 1000;
  return isInstant(instant) ? instant : undefined;
}

/** Returns the UTC offset, in seconds, of a time that {@link instantIn} accepts. It is less than a day. */
function offsetIn(value: unknown, name: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(textIn(value, name) ?? '') ?? [];
  const seconds = sign === undefined ? 0 : Number(hours) * 3600 + Number(minutes) * 60;
  return sign === '-' ? -seconds : seconds;
}
