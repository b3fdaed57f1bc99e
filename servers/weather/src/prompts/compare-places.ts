import { definePrompt, userMessage } from '@mcp/protocol';
import * as z from 'zod';
import { forecastAnswer } from '../answers/forecast.ts';
import type { Weather } from '../context.ts';
import { withPlaces } from '../input/place-argument.ts';
import { completePlace } from '../input/place-uri.ts';

export const comparePlaces = definePrompt({
  name: 'compare-places',
  title: 'Compare places',
  description: 'Asks for a comparison of the weather ahead at two places, with both forecasts attached.',
  inputSchema: z.object({ a: z.string().describe('A place'), b: z.string().describe('Another place') }),
  complete: {
    a: (typed, weather: Weather) => completePlace(typed, weather),
    b: (typed, weather: Weather) => completePlace(typed, weather),
  },
  run: (input, weather: Weather, call) =>
    withPlaces(input, weather, call, async ({ a, b }) => {
      const wish = { days: 7, hourly: false, units: weather.forecasts.units };
      const [first, second] = await Promise.all([
        forecastAnswer(weather, a, wish, call),
        forecastAnswer(weather, b, wish, call),
      ]);
      return [
        userMessage(
          'Compare the weather ahead at these two places, day by day where they differ. Keep to the data, say what is missing, and name the sources.',
        ),
        userMessage(first.text),
        userMessage(second.text),
      ];
    }),
});
