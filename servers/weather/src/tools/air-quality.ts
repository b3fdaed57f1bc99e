import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { factsOf } from '../text/answer-result.ts';
import { formatInput } from '../input/shared-arguments.ts';
import type { WeatherContext } from '../context.ts';
import { otherPlaceNames } from '../input/other-names.ts';
import { answerEachPlace, placesInput } from '../input/several-places.ts';

export const airQuality = defineTool({
  name: 'air_quality',
  title: 'Air quality',
  description: 'Air quality now: indices, pollutants; in Europe, pollen.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({ place: placesInput, format: formatInput }),
  outputSchema: factsOf('airQuality'),
  interpret: otherPlaceNames(),
  run: ({ place, format }, call: Call<WeatherContext>) =>
    answerEachPlace(place, { call, format }, (found) => call.context.answers.airQuality(found, call)),
});
