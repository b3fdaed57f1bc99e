import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { answerResult, factsOutput } from '../answers/answer-output.ts';
import { airAnswer } from '../answers/air-quality.ts';
import { telling } from '../input/as-tool-errors.ts';
import { type AskingCall, placeInput, withPlace } from '../input/place-argument.ts';

export const airQuality = defineTool({
  name: 'air_quality',
  title: 'Air quality',
  description: 'Air quality indices, pollutants and, in Europe, pollen at a place now.',
  hints: { readOnly: true },
  input: z.object({ place: placeInput }),
  output: factsOutput,
  run: ({ place }, call: AskingCall) =>
    telling(() => withPlace(place, call, async (found) => answerResult(await airAnswer(call, found, call)))),
});
