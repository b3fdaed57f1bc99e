import { definePrompt, user } from '@mcp/protocol';
import * as z from 'zod';
import { forecastAnswer } from '../answers/forecast.ts';
import type { Weather } from '../context.ts';
import { type AskingCall, withPlaces } from '../input/place-argument.ts';
import { completePlace } from '../input/place-uri.ts';

export const comparePlaces = definePrompt({
  name: 'compare-places',
  title: 'Compare places',
  description: 'Asks for a comparison of the weather ahead at two places, with both forecasts attached.',
  input: z.object({ a: z.string().describe('A place'), b: z.string().describe('Another place') }),
  complete: {
    a: (typed, weather: Weather) => completePlace(typed, weather),
    b: (typed, weather: Weather) => completePlace(typed, weather),
  },
  run: (input, call: AskingCall) =>
    withPlaces(input, call, async ({ a, b }) => {
      const wish = { days: 7, hourly: false, units: call.forecasts.units };
      const [first, second] = await Promise.all([
        forecastAnswer(call, a, wish, call),
        forecastAnswer(call, b, wish, call),
      ]);
      return [
        user(
          'Compare the weather ahead at these two places, day by day where they differ. Keep to the data, say what is missing, and name the sources.',
        ),
        user(first.text),
        user(second.text),
      ];
    }),
});
