import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { answerResult, factsOutput } from '../answers/answer-output.ts';
import { forecastAnswer } from '../answers/forecast.ts';
import { go } from '../backend/maybe-promise.ts';
import { telling } from '../input/as-tool-errors.ts';
import { type AskingCall, placeInput, withPlace } from '../input/place-argument.ts';
import { unitsInput } from '../input/units-argument.ts';

export const forecast = defineTool({
  name: 'forecast',
  title: 'Forecast',
  description: 'The days ahead at a place, today first.',
  hints: { readOnly: true },
  input: z.object({
    place: placeInput,
    days: z.int().min(1).max(16).optional().describe('7 unless given'),
    hourly: z.boolean().optional().describe('Also hour by hour, the first 7 days'),
    units: unitsInput,
  }),
  output: factsOutput,
  run: ({ place, days = 7, hourly = false, units }, call: AskingCall) =>
    telling(() =>
      withPlace(place, call, (found) => {
        const wish = { days, hourly, units: units ?? call.forecasts.units };
        return go(forecastAnswer(call, found, wish, call), answerResult);
      }),
    ),
});
