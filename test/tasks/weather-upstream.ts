import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A local server in the format of Open-Meteo, whose weather is a formula. All its places are in UTC.

const hourSeconds = 3_600;
const daySeconds = 24 * hourSeconds;

export const places = {
  Reykjavik: {
    id: 1,
    latitude: 64.14,
    longitude: -21.94,
    timezone: 'Atlantic/Reykjavik',
    country: 'Iceland',
    country_code: 'IS',
  },
  Accra: {
    id: 2,
    latitude: 5.56,
    longitude: -0.2,
    timezone: 'Africa/Accra',
    country: 'Ghana',
    country_code: 'GH',
  },
  Dakar: {
    id: 3,
    latitude: 14.69,
    longitude: -17.44,
    timezone: 'Africa/Dakar',
    country: 'Senegal',
    country_code: 'SN',
  },
};

/** The value of a variable at an instant in seconds, or of the day that begins then. */
export function valueOf(variable: string, instant: number, latitude: number): number {
  const wave = Math.sin((instant / daySeconds) * 2 * Math.PI);
  const days = Math.floor(instant / daySeconds);
  if (variable.startsWith('temperature_2m_max')) return rounded(33 - latitude / 3 + (days % 7));
  if (variable.startsWith('temperature_2m_min')) return rounded(22 - latitude / 3 + (days % 5));
  if (/temperature|dew_point/.test(variable)) return rounded(27 - latitude / 3 + 4 * wave + (days % 3));
  if (variable.startsWith('precipitation_probability')) return (days * 37) % 100;
  if (/precipitation|snowfall/.test(variable)) return days % 2 === 0 ? 0.4 : 0;
  if (variable === 'weather_code') return days % 2 === 0 ? 61 : 1;
  if (variable.startsWith('wave_height')) return rounded(1.5 + wave / 2);
  if (variable === 'is_day') return 1;
  if (variable === 'european_aqi') return 23;
  return Math.abs(days * variable.length) % 50;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Days since 1970. */
const dayNow = () => Math.floor(Date.now() / 1_000 / daySeconds);

/** The day on which the tasks began, because a day may end while one runs. */
const today = dayNow();

/** The midnight of a date, `2026-11-20`, or of the day that is so many days from today, in seconds. */
export function midnight(day: string | number): number {
  return typeof day === 'string' ? Date.parse(day) / 1_000 : (today + day) * daySeconds;
}

/** The date that is so many days from today. */
export function dateOf(day: number): string {
  return new Date(midnight(day) * 1_000).toISOString().slice(0, 10);
}

let url: Promise<string> | undefined;

/** Starts the server once; it keeps no process alive. Returns its URL. */
export function startUpstream(): Promise<string> {
  return (url ??= listen());
}

async function listen(): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const body = pathname.endsWith('/search') ? search(searchParams) : weather(searchParams);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function search(query: URLSearchParams): object {
  const name = query.get('name')?.toLowerCase() ?? '';
  const results = Object.entries(places)
    .filter(([each]) => each.toLowerCase().startsWith(name))
    .map(([each, place]) => ({ name: each, feature_code: 'PPLC', population: 1_000_000, ...place }));
  return { ...(results.length > 0 && { results }), generationtime_ms: 0.1 };
}

function weather(query: URLSearchParams): object {
  const latitude = Number(query.get('latitude'));
  const first = query.has('start_date') ? midnight(query.get('start_date')!) : dayNow() * daySeconds;
  const days = query.has('end_date')
    ? (midnight(query.get('end_date')!) - first) / daySeconds + 1
    : Number(query.get('forecast_days') ?? 7);
  const time = (instant: number, length: number) =>
    query.get('timeformat') === 'unixtime'
      ? instant
      : new Date(instant * 1_000).toISOString().slice(0, length);
  const block = (name: 'hourly' | 'daily', step: number, count: number, length: number) => {
    const variables = query.get(name)?.split(',').filter(Boolean) ?? [];
    if (variables.length === 0) return {};
    const instants = Array.from({ length: count }, (_, index) => first + index * step);
    const columns = variables.map((variable) => [
      variable,
      instants.map((each) => columnValue(variable, each, latitude)),
    ]);
    return {
      [`${name}_units`]: Object.fromEntries([
        ['time', 'iso8601'],
        ...variables.map((each) => [each, unitOf(each)]),
      ]),
      [name]: {
        time: instants.map((each) => time(each, length)),
        ...(Object.fromEntries(columns) as object),
      },
    };
  };
  const variables = query.get('current')?.split(',').filter(Boolean) ?? [];
  const now = Math.floor(Date.now() / 900_000) * 900;
  return {
    latitude,
    longitude: Number(query.get('longitude')),
    generationtime_ms: 0.1,
    utc_offset_seconds: 0,
    timezone: query.get('timezone') ?? 'GMT',
    elevation: 10,
    ...(variables.length > 0 && {
      current_units: Object.fromEntries(variables.map((each) => [each, unitOf(each)])),
      current: {
        time: time(now, 16),
        interval: 900,
        ...Object.fromEntries(variables.map((each) => [each, valueOf(each, now, latitude)])),
      },
    }),
    ...block('hourly', hourSeconds, days * 24, 16),
    ...block('daily', daySeconds, days, 10),
  };
}

function columnValue(variable: string, instant: number, latitude: number): number {
  if (variable === 'sunrise') return instant + 6 * hourSeconds;
  if (variable === 'sunset') return instant + 18 * hourSeconds;
  return variable === 'daylight_duration' ? 43_200 : valueOf(variable, instant, latitude);
}

function unitOf(variable: string): string {
  if (/temperature|dew_point/.test(variable)) return '°C';
  if (/precipitation_probability|humidity|cloud/.test(variable)) return '%';
  if (/direction/.test(variable)) return '°';
  if (/speed|gusts|velocity/.test(variable)) return 'km/h';
  if (/height|visibility|depth|level/.test(variable)) return 'm';
  if (variable.startsWith('snowfall')) return 'cm';
  if (variable.startsWith('precipitation')) return 'mm';
  if (/pressure/.test(variable)) return 'hPa';
  if (/pollen/.test(variable)) return 'grains/m³';
  if (/period|duration/.test(variable)) return 's';
  return /pm|dioxide|monoxide|ozone/.test(variable) ? 'μg/m³' : '';
}
