import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { answerResult, factsOutput } from '../answers/answer.ts';
import { currentAnswer } from '../answers/current.ts';
import { thenMaybe } from '../backend/maybe-promise.ts';
import { withToolErrors } from '../input/as-tool-errors.ts';
import type { WeatherContext } from '../context.ts';
import { placeInput, withPlace } from '../input/place-argument.ts';
import { unitsInput } from '../input/units-argument.ts';

export const current = defineTool({
  name: 'current',
  title: 'Current weather',
  description: 'The current weather at a place.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({ place: placeInput, units: unitsInput }),
  outputSchema: factsOutput,
  run: ({ place, units }, { weather }: WeatherContext, call) =>
    withToolErrors(() =>
      withPlace(place, weather, call, (found) =>
        thenMaybe(currentAnswer(weather, found, units ?? weather.units, call), answerResult),
      ),
    ),
});
