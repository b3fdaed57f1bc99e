import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { answerResult, factsOutput } from '../answers/answer-output.ts';
import { airAnswer } from '../answers/air-quality.ts';
import { telling } from '../input/as-tool-errors.ts';
import type { Weather } from '../context.ts';
import { placeInput, withPlace } from '../input/place-argument.ts';

export const airQuality = defineTool({
  name: 'air_quality',
  title: 'Air quality',
  description: 'Air quality indices, pollutants and, in Europe, pollen at a place now.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({ place: placeInput }),
  outputSchema: factsOutput,
  run: ({ place }, weather: Weather, call) =>
    telling(() =>
      withPlace(place, weather, call, async (found) => answerResult(await airAnswer(weather, found, call))),
    ),
});
