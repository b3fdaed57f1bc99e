import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { answerResult, factsOutput } from '../answers/answer-output.ts';
import { forecastAnswer } from '../answers/forecast.ts';
import { go } from '../backend/maybe-promise.ts';
import { telling } from '../input/as-tool-errors.ts';
import type { Weather } from '../context.ts';
import { placeInput, withPlace } from '../input/place-argument.ts';
import { unitsInput } from '../input/units-argument.ts';

export const forecast = defineTool({
  name: 'forecast',
  title: 'Forecast',
  description: 'The days ahead at a place, today first.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({
    place: placeInput,
    days: z.int().min(1).max(16).optional().describe('7 unless given'),
    hourly: z.boolean().optional().describe('Also hour by hour, the first 7 days'),
    units: unitsInput,
  }),
  outputSchema: factsOutput,
  run: ({ place, days = 7, hourly = false, units }, weather: Weather, call) =>
    telling(() =>
      withPlace(place, weather, call, (found) => {
        const wish = { days, hourly, units: units ?? weather.forecasts.units };
        return go(forecastAnswer(weather, found, wish, call), answerResult);
      }),
    ),
});
