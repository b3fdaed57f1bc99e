import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { answerResult, factsOutput } from '../answers/answer-output.ts';
import { currentAnswer } from '../answers/current.ts';
import { go } from '../backend/maybe-promise.ts';
import { telling } from '../input/as-tool-errors.ts';
import type { Weather } from '../context.ts';
import { placeInput, withPlace } from '../input/place-argument.ts';
import { unitsInput } from '../input/units-argument.ts';

export const current = defineTool({
  name: 'current',
  title: 'Current weather',
  description: 'The weather at a place now.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({ place: placeInput, units: unitsInput }),
  outputSchema: factsOutput,
  run: ({ place, units }, weather: Weather, call) =>
    telling(() =>
      withPlace(place, weather, call, (found) =>
        go(currentAnswer(weather, found, units ?? weather.forecasts.units, call), answerResult),
      ),
    ),
});
