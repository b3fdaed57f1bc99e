import { definePrompt, userMessage } from '@mcp/protocol';
import * as z from 'zod';
import { addDays, assertDate, invalidArgument, maxForecastDays } from '@mcp/weather-data';
import type { WeatherContext } from '../context.ts';
import { withPlace } from '../input/place-argument.ts';
import { completeDate } from '../input/date-argument.ts';
import { completePlace } from '../input/listed-places.ts';

const dayMs = 86_400_000;
const maxTripDays = 60;

export const packForTrip = definePrompt({
  name: 'pack-for-trip',
  title: 'Pack for a trip',
  description:
    'Asks what to pack for a trip; includes the forecast, or the weather of the same days a year before.',
  inputSchema: z.object({
    place: z.string().describe('Coordinates, a saved place, or a name'),
    from: z.string().describe('First date, 2026-11-20'),
    to: z.string().describe('Last date'),
  }),
  complete: {
    place: (typed, { weather }: WeatherContext) => completePlace(typed, weather),
    from: (typed, { weather }: WeatherContext) => completeDate(typed, weather.clock.now(), [0, 30]),
    to: (typed, { weather }: WeatherContext) => completeDate(typed, weather.clock.now(), [0, 30]),
  },
  run: ({ place, from, to }, { weather, answers }: WeatherContext, call) => {
    assertDate(from);
    assertDate(to);
    if (from > to) throw invalidArgument('from', `Invalid from: ${from} is after to, ${to}`);
    if (addDays(from, maxTripDays) < to)
      throw invalidArgument('to', `Invalid to: ${to}; expected at most ${maxTripDays} days after from`);
    return withPlace(place, weather, call, async (found) => {
      const days = Math.ceil((Date.parse(to) + dayMs - weather.clock.now()) / dayMs) + 1;
      const isInForecast = days >= 1 && days <= maxForecastDays;
      const data = isInForecast
        ? await answers.forecast(found, { days, hourly: false }, call)
        : await answers.history(found, { start: yearBefore(from), end: yearBefore(to) }, call);
      return [
        userMessage(
          `List what to pack for a trip from ${from} to ${to}, from the data below. Use only the data, say what is missing, and name the source.`,
        ),
        userMessage(
          isInForecast
            ? `Forecast\n${data.text}`
            : `The forecast does not cover these days. The same days a year before:\n${data.text}`,
        ),
      ];
    });
  },
});

function yearBefore(date: string): string {
  return addDays(date, -365);
}
