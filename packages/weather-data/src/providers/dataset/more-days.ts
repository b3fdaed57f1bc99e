import { isObject } from '@mcp/kit';
import { listIn, objectIn } from '../../json-fields.ts';

type Json = { readonly [name: string]: unknown };

const daySeconds = 86_400;

/** How much warmer each added day is than the day that it repeats, in degrees Celsius. */
const warmer = [0.8, -0.6, 1.4, 0.3, -1.1];

/** Extends a forecast of Open-Meteo from `known` to `count` days by repeating its days from the first on. */
export function withMoreDays(forecast: Json, known: number, count: number): Json {
  return {
    ...forecast,
    hourly: moreRows(objectIn(forecast, 'hourly') ?? {}, 24, known, count),
    daily: moreRows(objectIn(forecast, 'daily') ?? {}, 1, known, count),
  };
}

function moreRows(block: Json, perDay: number, known: number, count: number): Json {
  return Object.fromEntries(
    Object.entries(block).map(([name, values]) => {
      if (!Array.isArray(values)) return [name, values];
      const more = Array.from({ length: (count - known) * perDay }, (_, index) => {
        const day = known + Math.floor(index / perDay);
        const from = day % known;
        const value: unknown = values[from * perDay + (index % perDay)];
        return typeof value === 'number' ? moved(name, value, day - from, day - known) : value;
      });
      return [name, [...values, ...more]];
    }),
  );
}

function moved(name: string, value: number, days: number, added: number): number {
  if (['time', 'sunrise', 'sunset'].includes(name)) return value + days * daySeconds;
  return name.includes('temperature') ? Math.round((value + warmer[added]!) * 10) / 10 : value;
}

/** Extends a forecast of NWS by `days` days. Each added day repeats the last `perDay` periods. */
export function withMorePeriods(forecast: Json, perDay: number, days: number): Json {
  const properties = objectIn(forecast, 'properties') ?? {};
  const periods = (listIn(properties, 'periods') ?? []).filter(isObject);
  const last = periods.slice(-perDay);
  const more = Array.from({ length: days }, (_, index) =>
    last.map((period, at) => ({
      ...period,
      number: periods.length + index * perDay + at + 1,
      name: '',
      temperature: Number(period['temperature']) + Math.round(2 * warmer[index % warmer.length]!),
      startTime: later(period['startTime'], index + 1),
      endTime: later(period['endTime'], index + 1),
    })),
  );
  return { ...forecast, properties: { ...properties, periods: [...periods, ...more.flat()] } };
}

/** Moves a time such as `2026-11-20T08:00:00-06:00` some days later, with the same clock time and offset. */
function later(time: unknown, days: number): string {
  const [, date = '', rest = ''] = /^(.{10})(.*)$/.exec(String(time)) ?? [];
  return new Date(Date.parse(`${date}T00:00Z`) + days * daySeconds * 1_000).toISOString().slice(0, 10) + rest;
}
