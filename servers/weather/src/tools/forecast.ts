import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { answerResult, factsOutput } from '../answers/answer.ts';
import { forecastAnswer } from '../answers/forecast.ts';
import { thenMaybe } from '../backend/maybe-promise.ts';
import { withToolErrors } from '../input/as-tool-errors.ts';
import type { WeatherContext } from '../context.ts';
import { placeInput, withPlace } from '../input/place-argument.ts';
import { unitsInput } from '../input/units-argument.ts';

export const forecast = defineTool({
  name: 'forecast',
  title: 'Forecast',
  description: 'The next days at a place, today first.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({
    place: placeInput,
    days: z.int().min(1).max(16).optional().describe('Default: 7'),
    hourly: z.boolean().optional().describe('Also the hours of the first 7 days'),
    units: unitsInput,
  }),
  outputSchema: factsOutput,
  run: ({ place, days = 7, hourly = false, units }, { weather }: WeatherContext, call) =>
    withToolErrors(() =>
      withPlace(place, weather, call, (found) => {
        const options = { days, hourly, units: units ?? weather.units };
        return thenMaybe(forecastAnswer(weather, found, options, call), answerResult);
      }),
    ),
});
