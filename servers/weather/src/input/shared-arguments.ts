import type { Call } from '@mcp/protocol';
import { addDays, maxForecastDays, unitSystems } from '@mcp/weather-data';
import * as z from 'zod';
import type { WeatherContext } from '../context.ts';

// Arguments that several tools and templates have.

export const unitsInput = z.enum(unitSystems).optional();

/** How many days a forecast has. */
export const daysInput = z.int().min(1).max(maxForecastDays).optional();

/** Whether an answer is a text or structured content; defaults to text. */
export const formatInput = z.enum(['text', 'json']).optional();

export type AnswerFormat = z.infer<typeof formatInput>;

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
