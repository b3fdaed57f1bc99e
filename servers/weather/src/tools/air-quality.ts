import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { answerResult, factsOutput } from '../answers/answer.ts';
import { airQualityAnswer } from '../answers/air-quality.ts';
import { withToolErrors } from '../input/as-tool-errors.ts';
import type { WeatherContext } from '../context.ts';
import { placeInput, withPlace } from '../input/place-argument.ts';

export const airQuality = defineTool({
  name: 'air_quality',
  title: 'Air quality',
  description: 'Current air quality indices, pollutants and, in Europe, pollen at a place.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({ place: placeInput }),
  outputSchema: factsOutput,
  run: ({ place }, { weather }: WeatherContext, call) =>
    withToolErrors(() =>
      withPlace(place, weather, call, async (found) =>
        answerResult(await airQualityAnswer(weather, found, call)),
      ),
    ),
});
