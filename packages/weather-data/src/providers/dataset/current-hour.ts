import { isObject } from '@mcp/kit';
import type { Zone } from '../../model/time-zone.ts';

type Json = { readonly [name: string]: unknown };

interface Present {
  /** The present time, in seconds since 1970. */
  readonly now: number;
  readonly zone: Zone;
  /** The forecast of the same place, with its dates moved to today. */
  readonly forecast: unknown;
}

/**
 * Current weather of the sample as it would be now: the time, and all values that the hourly forecast has for
 * this hour. The sample was made for one hour of the day. Documents in the format of NWS get only the time.
 */
export function atPresent(document: unknown, { now, zone, forecast }: Present): unknown {
  if (!isObject(document)) return document;
  const { current, properties } = document;
  if (isObject(properties) && 'timestamp' in properties)
    return { ...document, properties: { ...properties, timestamp: zone.textAt(now) } };
  if (!isObject(current)) return document;
  const hour = hourOf(forecast, now);
  const known = Object.entries(hour).filter(([name]) => name in current);
  return {
    ...document,
    current: { ...current, ...Object.fromEntries(known), ...dayOf(forecast, now), time: now },
  };
}

/**
 * The time of a measurement, in seconds since 1970; undefined for a document without one, such as a forecast.
 */
export function timeOf(document: unknown): number | undefined {
  if (!isObject(document)) return undefined;
  const { current, properties } = document;
  if (isObject(current) && typeof current['time'] === 'number') return current['time'];
  const timestamp = isObject(properties) ? properties['timestamp'] : undefined;
  return typeof timestamp === 'string' ? Date.parse(timestamp) / 1_000 : undefined;
}

/** The values of the hourly forecast for the hour of `now`; none if it does not have this hour. */
function hourOf(forecast: unknown, now: number): Json {
  const columns = columnsOf(forecast, 'hourly');
  const index = columns['time']?.findIndex((time) => time <= now && now < time + 3_600) ?? -1;
  return index === -1
    ? {}
    : Object.fromEntries(Object.entries(columns).map(([name, each]) => [name, each[index]]));
}

/** Whether it is day at `now`, as the sunrise and sunset of the forecast say; nothing without these. */
function dayOf(forecast: unknown, now: number): { is_day?: number } {
  const { sunrise = [], sunset = [] } = columnsOf(forecast, 'daily');
  if (sunrise.length === 0) return {};
  return { is_day: sunrise.some((rise, day) => rise <= now && now < (sunset[day] ?? 0)) ? 1 : 0 };
}

function columnsOf(forecast: unknown, name: string): { readonly [name: string]: readonly number[] } {
  const columns = isObject(forecast) ? forecast[name] : undefined;
  return isObject(columns) ? (columns as { readonly [name: string]: readonly number[] }) : {};
}
