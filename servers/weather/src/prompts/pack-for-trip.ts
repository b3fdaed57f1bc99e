import { type Call, definePrompt, userMessage } from '@mcp/protocol';
import * as z from 'zod';
import { addDays, assertDate, invalidArgument, isDate, maxForecastDays } from '@mcp/weather-data';
import type { WeatherContext } from '../context.ts';
import { findOrAsk } from '../input/place-argument.ts';
import { completeDate } from '../input/uri-variables.ts';
import { completePlace } from '../input/listed-places.ts';

const dayMs = 86_400_000;
const maxTripDays = 60;

export const packForTrip = definePrompt({
  name: 'pack-for-trip',
  title: 'Pack for a trip',
  description:
    'Asks what to pack for a trip; includes the forecast, or the weather of the same days of an earlier year.',
  inputSchema: z.object({
    place: z.string().describe('Coordinates, a saved place, or a name'),
    from: z.string().describe('First date, 2026-11-20'),
    to: z.string().describe('Last date'),
  }),
  complete: {
    place: (typed, call: Call<WeatherContext>) => completePlace(typed, call),
    from: (typed, call: Call<WeatherContext>) => completeDate(typed, call, [0, 30]),
    to: (typed, call: Call<WeatherContext>) => completeDate(typed, call, [0, 30]),
  },
  run: async ({ place, from, to }, call: Call<WeatherContext>) => {
    const { weather, answers } = call.context;
    assertDate(from, 'from');
    assertDate(to, 'to');
    if (from > to) throw invalidArgument('from', `Invalid from: ${from} is after to, ${to}`);
    if (addDays(from, maxTripDays) < to)
      throw invalidArgument('to', `Invalid to: ${to}; expected at most ${maxTripDays} days after from`);
    const found = await findOrAsk(place, call);
    const now = weather.clock.now();
    const days = daysUntilEndOf(to, now);
    const years = yearsUntilPast(to, now);
    const isInForecast = days >= 1 && days <= maxForecastDays;
    const data = isInForecast
      ? await answers.forecast(found, { days, hourly: false }, call)
      : await answers.history(found, { start: yearsBefore(from, years), end: yearsBefore(to, years) }, call);
    return [
      userMessage(
        `List what to pack for a trip from ${from} to ${to}, from the data below. Use only the data, say what is missing, and name the source.`,
      ),
      userMessage(
        isInForecast
          ? `Forecast\n${data.text}`
          : `The forecast does not cover these days. The same days ${years === 1 ? 'a year' : `${years} years`} before:\n${data.text}`,
      ),
    ];
  },
});

/**
 * How many days a forecast must have, from today, to include the date. It is one more than in UTC, because
 * local time at the place may be a day behind UTC.
 */
function daysUntilEndOf(date: string, now: number): number {
  const end = Date.parse(date) + dayMs;
  const inUtc = Math.ceil((end - now) / dayMs);
  return inUtc + 1;
}

/** The smallest number of years, at least one, by which a date must go back to be before today (UTC). */
function yearsUntilPast(date: string, now: number): number {
  const today = new Date(now).toISOString().slice(0, 10);
  let years = 1;
  while (yearsBefore(date, years) >= today) years++;
  return years;
}

/**
 * Returns the same day of an earlier year; for 29 February, 28 February if the earlier year is no leap year.
 */
function yearsBefore(date: string, years: number): string {
  const year = String(Number(date.slice(0, 4)) - years).padStart(4, '0');
  const sameDay = `${year}${date.slice(4)}`;
  return isDate(sameDay) ? sameDay : `${year}-02-28`;
}
