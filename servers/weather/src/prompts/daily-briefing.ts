import { type Call, definePrompt, userMessage } from '@mcp/protocol';
import * as z from 'zod';
import type { WeatherContext } from '../context.ts';
import { findOrAsk } from '../input/place-argument.ts';
import { completePlace } from '../input/listed-places.ts';

export const dailyBriefing = definePrompt({
  name: 'daily-briefing',
  title: 'Daily briefing',
  description:
    'Asks for a briefing on the weather of the day; includes the current weather and the next hours.',
  inputSchema: z.object({ place: z.string().describe('Coordinates, a saved place, or a name') }),
  complete: { place: (typed, call: Call<WeatherContext>) => completePlace(typed, call) },
  run: async ({ place }, call: Call<WeatherContext>) => {
    const found = await findOrAsk(place, call);
    const [now, upcoming] = await Promise.all([
      call.context.answers.current(found, {}, call),
      call.context.answers.forecast(found, { days: 2, hourly: true }, call),
    ]);
    return [
      userMessage(
        'Write a short briefing on the weather of the day from the data below: now, the rest of today, hazards, and a line on tomorrow. Use only the data, say what is missing, and name the source.',
      ),
      userMessage(`Now\n${now.text}`),
      userMessage(`Today and tomorrow\n${upcoming.text}`),
    ];
  },
});
