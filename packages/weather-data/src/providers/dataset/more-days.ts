import { isObject } from '@mcp/kit';
import { listIn, objectIn } from '../../json-fields.ts';

type Json = { readonly [name: string]: unknown };

const daySeconds = 86_400;

/** How much warmer the added days are than the days that they repeat, in degrees. */
const warmer = [0.8, -0.6, 1.4, 0.3, -1.1];

/** A forecast of Open-Meteo of `known` days as one of `count` days, in which the first days are repeated. */
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

/** A forecast of NWS with periods for `days` more days: the last `perDay` periods again and again. */
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

/** A time with its offset, such as `2026-11-20T08:00:00-06:00`, some days later. */
function later(time: unknown, days: number): string {
  const [, date = '', rest = ''] = /^(.{10})(.*)$/.exec(String(time)) ?? [];
  return new Date(Date.parse(`${date}T00:00Z`) + days * daySeconds * 1_000).toISOString().slice(0, 10) + rest;
}
