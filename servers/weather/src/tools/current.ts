import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { factsOf } from '../text/answer-result.ts';
import type { WeatherContext } from '../context.ts';
import { formatInput, unitsInput } from '../input/shared-arguments.ts';
import { otherPlaceNames } from '../input/other-names.ts';
import { answerEachPlace, placesInput } from '../input/several-places.ts';

export const current = defineTool({
  name: 'current',
  title: 'Current weather',
  description: 'The current weather at a place, and rain in the next two hours.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({ place: placesInput, units: unitsInput, format: formatInput }),
  outputSchema: factsOf('current'),
  interpret: otherPlaceNames(),
  run: ({ place, units, format }, call: Call<WeatherContext>) =>
    answerEachPlace(place, { call, format }, (found) => call.context.answers.current(found, { units }, call)),
});
