import type { Call } from '@mcp/protocol';
import {
  addDays,
  invalidArgument,
  maxForecastDays,
  quoted,
  type UnitSystem,
  unitSystems,
} from '@mcp/weather-data';
import type { WeatherContext } from '../context.ts';

// Apart from the schemas of arguments: the resources are loaded before the handshake, and zod after it.

/** Parses the variable `days` of a URI. Throws a `WeatherError`. */
export function parseDays(text: string): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (days >= 1 && days <= maxForecastDays) return days;
  throw invalidArgument('days', `Invalid days: ${quoted(text)}; expected 1 to ${maxForecastDays}`);
}

/** Parses the variable `units` of a URI. Throws a `WeatherError`. */
export function parseUnits(text: string): UnitSystem {
  const units = unitSystems.find((system) => system === text);
  if (units) return units;
  throw invalidArgument('units', `Invalid units: ${quoted(text)}; expected ${unitSystems.join(', ')}`);
}

/** Completes a date that lies between `from` and `to` days after today (UTC). */
export function completeDate(
  typed: string,
  { context: { weather } }: Call<WeatherContext>,
  [from, to]: readonly [number, number],
): string[] {
  const today = new Date(weather.clock.now()).toISOString().slice(0, 10);
  const step = from <= to ? 1 : -1;
  const dates = Array.from({ length: Math.abs(to - from) + 1 }, (_, index) =>
    addDays(today, from + step * index),
  );
  return dates.filter((date) => date.startsWith(typed));
}
