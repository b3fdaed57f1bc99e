import type { Call } from '@mcp/protocol';
import { addDays } from '@mcp/weather-data';
import type { WeatherContext } from '../context.ts';

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
