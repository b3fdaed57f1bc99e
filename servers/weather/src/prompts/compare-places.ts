import { type Call, definePrompt, userMessage } from '@mcp/protocol';
import * as z from 'zod';
import type { WeatherContext } from '../context.ts';
import { withPlaces } from '../input/place-argument.ts';
import { completePlace } from '../input/listed-places.ts';

export const comparePlaces = definePrompt({
  name: 'compare-places',
  title: 'Compare places',
  description: 'Asks for a comparison of the forecasts of two places; includes both.',
  inputSchema: z.object({ a: z.string().describe('A place'), b: z.string().describe('Another place') }),
  complete: {
    a: (typed, call: Call<WeatherContext>) => completePlace(typed, call),
    b: (typed, call: Call<WeatherContext>) => completePlace(typed, call),
  },
  run: (input, call: Call<WeatherContext>) =>
    withPlaces(input, call, async ({ a, b }) => {
      const options = { days: 7, hourly: false };
      const [first, second] = await Promise.all([
        call.context.answers.forecast(a, options, call),
        call.context.answers.forecast(b, options, call),
      ]);
      return [
        userMessage(
          'Compare the forecasts of these two places, day by day where they differ. Use only the data, say what is missing, and name the sources.',
        ),
        userMessage(first.text),
        userMessage(second.text),
      ];
    }),
});
