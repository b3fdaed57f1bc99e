import * as z from 'zod';
import { invalidArgument, maxForecastDays, quoted } from '@mcp/weather-data';

/** How many days a forecast has. */
export const daysInput = z.int().min(1).max(maxForecastDays).optional();

/** Parses the variable `days` of a URI. Throws a `WeatherError`. */
export function parseDays(text: string): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (days >= 1 && days <= maxForecastDays) return days;
  throw invalidArgument('days', `Invalid days: ${quoted(text)}; expected 1 to ${maxForecastDays}`);
}
