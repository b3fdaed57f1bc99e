import { definePrompt, userMessage } from '@mcp/protocol';
import * as z from 'zod';
import { currentAnswer } from '../answers/current.ts';
import { forecastAnswer } from '../answers/forecast.ts';
import type { Weather } from '../context.ts';
import { withPlace } from '../input/place-argument.ts';
import { completePlace } from '../input/place-uri.ts';

export const dailyBriefing = definePrompt({
  name: 'daily-briefing',
  title: 'Daily briefing',
  description:
    'Asks for a briefing on the weather of the day, with the current weather and the hours ahead attached.',
  inputSchema: z.object({ place: z.string().describe('Coordinates, a saved place, or a name') }),
  complete: { place: (typed, weather: Weather) => completePlace(typed, weather) },
  run: ({ place }, weather: Weather, call) =>
    withPlace(place, weather, call, async (found) => {
      const { units } = weather.forecasts;
      const ask = call;
      const [now, ahead] = await Promise.all([
        currentAnswer(weather, found, units, ask),
        forecastAnswer(weather, found, { days: 2, hourly: true, units }, ask),
      ]);
      return [
        userMessage(
          'Write a short briefing on the weather of the day from the data below: now, the rest of today, what to watch out for, and a line on tomorrow. Keep to the data, say what is missing, and name the source.',
        ),
        userMessage(`Now\n${now.text}`),
        userMessage(`Today and tomorrow\n${ahead.text}`),
      ];
    }),
});
