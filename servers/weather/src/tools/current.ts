import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { answerResult, factsOutput } from '../answers/answer-output.ts';
import { currentAnswer } from '../answers/current.ts';
import { go } from '../backend/maybe-promise.ts';
import { telling } from '../input/as-tool-errors.ts';
import { type AskingCall, placeInput, withPlace } from '../input/place-argument.ts';
import { unitsInput } from '../input/units-argument.ts';

export const current = defineTool({
  name: 'current',
  title: 'Current weather',
  description: 'The weather at a place now.',
  hints: { readOnly: true },
  input: z.object({ place: placeInput, units: unitsInput }),
  output: factsOutput,
  run: ({ place, units }, call: AskingCall) =>
    telling(() =>
      withPlace(place, call, (found) =>
        go(currentAnswer(call, found, units ?? call.forecasts.units, call), answerResult),
      ),
    ),
});
