import { definePrompt, userMessage } from '@mcp/protocol';
import * as z from 'zod';
import { checkDate } from '../backend/model/time-zone.ts';
import { forecastAnswer } from '../answers/forecast.ts';
import { historyAnswer } from '../answers/history.ts';
import { Failure } from '../backend/errors.ts';
import { addDays } from '../backend/model/time-zone.ts';
import type { Weather } from '../context.ts';
import { withPlace } from '../input/place-argument.ts';
import { completeDate } from '../input/date-argument.ts';
import { completePlace } from '../input/place-uri.ts';

const dayMs = 86_400_000;

export const packForTrip = definePrompt({
  name: 'pack-for-trip',
  title: 'Pack for a trip',
  description:
    'Asks what to pack for a trip, with the forecast attached, or the weather of the same days a year ago.',
  inputSchema: z.object({
    place: z.string().describe('Coordinates, a saved place, or a name'),
    from: z.string().describe('First date, 2026-11-20'),
    to: z.string().describe('Last date'),
  }),
  complete: {
    place: (typed, weather: Weather) => completePlace(typed, weather),
    from: (typed, weather: Weather) => completeDate(typed, weather.forecasts.clock.now(), [0, 30]),
    to: (typed, weather: Weather) => completeDate(typed, weather.forecasts.clock.now(), [0, 30]),
  },
  run: ({ place, from, to }, weather: Weather, call) => {
    checkDate(from);
    checkDate(to);
    if (from > to)
      throw new Failure('invalid_argument', `from must not be after to: ${from} is after ${to}`, {
        argument: 'from',
      });
    if (addDays(from, 60) < to)
      throw new Failure('invalid_argument', 'A trip is at most 60 days long', { argument: 'to' });
    return withPlace(place, weather, call, async (found) => {
      const { units, clock } = weather.forecasts;
      const ask = call;
      const days = Math.ceil((Date.parse(to) + dayMs - clock.now()) / dayMs) + 1;
      const forecastable = days >= 1 && days <= 16;
      const data = forecastable
        ? await forecastAnswer(weather, found, { days, hourly: false, units }, ask)
        : await historyAnswer(weather, found, { start: yearBefore(from), end: yearBefore(to), units }, ask);
      return [
        userMessage(
          `List what to pack for a trip from ${from} to ${to}, from the data below. Keep to the data, say what is missing, and name the source.`,
        ),
        userMessage(
          forecastable
            ? `Forecast\n${data.text}`
            : `No forecast reaches that far. The same days a year before:\n${data.text}`,
        ),
      ];
    });
  },
});

function yearBefore(date: string): string {
  return addDays(date, -365);
}
