import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { answerResult, factsOutput } from '../answer-output.ts';
import { currentAnswer } from '../answers.ts';
import { telling } from '../failures.ts';
import { type AskingCall, placeInput, withPlace } from '../place-argument.ts';
import { unitsInput } from '../units-argument.ts';

export const current = defineTool({
  name: 'current',
  title: 'Current weather',
  description: 'The weather at a place now.',
  hints: { readOnly: true },
  input: z.object({ place: placeInput, units: unitsInput }),
  output: factsOutput,
  run: ({ place, units }, call: AskingCall) =>
    telling(() =>
      withPlace(place, call, async (found) =>
        answerResult(
          await currentAnswer(call, found, units ?? call.forecasts.units, { signal: call.signal }),
        ),
      ),
    ),
});
