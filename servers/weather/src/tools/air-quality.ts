import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { withToolErrors } from '../input/as-tool-errors.ts';
import { formatInput } from '../input/format-argument.ts';
import type { WeatherContext } from '../context.ts';
import { placesInput, withEachPlace } from '../input/several-places.ts';

export const airQuality = defineTool({
  name: 'air_quality',
  title: 'Air quality',
  description: 'Air quality now: indices, pollutants; in Europe, pollen.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({ place: placesInput, format: formatInput }),
  run: ({ place, format }, { weather, answers }: WeatherContext, call) =>
    withToolErrors(() =>
      withEachPlace(place, { weather, call, format }, (found) => answers.airQuality(found, call)),
    ),
});
