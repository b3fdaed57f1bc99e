import { type Call, definePrompt, userMessage } from '@mcp/protocol';
import * as z from 'zod';
import type { WeatherContext } from '../context.ts';
import { findOrAskFor } from '../input/place-argument.ts';
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
  run: async ({ a, b }, call: Call<WeatherContext>) => {
    // Both are found before any forecast is requested, so that the user is asked for both together.
    const places = await Promise.all([findOrAskFor('a', a, call), findOrAskFor('b', b, call)]);
    const options = { days: 7, hourly: false };
    const forecasts = await Promise.all(
      places.map((place) => call.context.answers.forecast(place, options, call)),
    );
    return [
      userMessage(
        'Compare the forecasts of these two places, day by day where they differ. Use only the data, say what is missing, and name the sources.',
      ),
      ...forecasts.map(({ text }) => userMessage(text)),
    ];
  },
});
