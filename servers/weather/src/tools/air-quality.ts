import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { answerResult } from '../answers/answer.ts';
import { airQualityAnswer } from '../answers/air-quality.ts';
import { withToolErrors } from '../input/as-tool-errors.ts';
import { formatInput } from '../input/format-argument.ts';
import type { WeatherContext } from '../context.ts';
import { placeInput, withPlace } from '../input/place-argument.ts';

export const airQuality = defineTool({
  name: 'air_quality',
  title: 'Air quality',
  description: 'Current air quality indices, pollutants and, in Europe, pollen at a place.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({ place: placeInput, format: formatInput }),
  run: ({ place, format }, { weather }: WeatherContext, call) =>
    withToolErrors(() =>
      withPlace(place, weather, call, async (found) =>
        answerResult(await airQualityAnswer(weather, found, call), format),
      ),
    ),
});
