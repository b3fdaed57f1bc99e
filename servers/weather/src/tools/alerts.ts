import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { answerResult, factsOf } from '../text/answer-result.ts';
import { formatInput } from '../input/shared-arguments.ts';
import type { WeatherContext } from '../context.ts';
import { otherPlaceNames } from '../input/other-names.ts';
import { findOrAsk, placeInput } from '../input/place-argument.ts';

const cursor = z.int().min(0).optional();

export const alerts = defineTool({
  name: 'alerts',
  title: 'Official alerts',
  description: 'Active official alerts at a place in the United States, Europe or Israel.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({ place: placeInput, cursor, format: formatInput }),
  outputSchema: factsOf('alerts'),
  interpret: otherPlaceNames(),
  run: async ({ place, cursor: from, format }, call: Call<WeatherContext>) => {
    const found = await findOrAsk(place, call);
    return answerResult(await call.context.answers.alerts({ place: found }, from, call), format);
  },
});

/** The names are those of the MCP quickstart, because prompts and allow-lists contain them. */
export const getAlerts = defineTool({
  name: 'get_alerts',
  title: 'Alerts of a state',
  description: 'Active official alerts in a state of the United States.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({ state: z.string().describe('Two letters: CA'), cursor, format: formatInput }),
  outputSchema: factsOf('alerts'),
  run: async ({ state, cursor: from, format }, call: Call<WeatherContext>) =>
    answerResult(await call.context.answers.alerts({ state }, from, call), format),
});
