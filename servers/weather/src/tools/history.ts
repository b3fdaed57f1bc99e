import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { answerResult, factsOf } from '../text/answer-result.ts';
import { parseDayCondition } from '../input/day-condition.ts';
import { formatInput, unitsInput } from '../input/shared-arguments.ts';
import type { WeatherContext } from '../context.ts';
import { otherPlaceNames } from '../input/other-names.ts';
import { findOrAsk, placeInput } from '../input/place-argument.ts';

export const history = defineTool({
  name: 'history',
  title: 'Past weather',
  description: 'Past days, since 1940.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({
    place: placeInput,
    start: z.string().describe('First date, 2026-11-20'),
    end: z.string().describe('Last date, at most 366 days'),
    summary: z.boolean().optional().describe('Means, totals and extremes instead of the days'),
    count: z.string().optional().describe('Days of the summary to count: temperatureMax>30'),
    normal: z.boolean().optional().describe('With the 30-year means'),
    units: unitsInput,
    format: formatInput,
  }),
  outputSchema: factsOf('history'),
  interpret: otherPlaceNames({
    start_date: 'start',
    startDate: 'start',
    from: 'start',
    end_date: 'end',
    endDate: 'end',
    to: 'end',
  }),
  run: async ({ place, start, end, summary, count, normal, units, format }, call: Call<WeatherContext>) => {
    const found = await findOrAsk(place, call);
    const options = {
      start,
      end,
      units,
      summary: summary ?? count !== undefined,
      normal,
      condition: count === undefined ? undefined : parseDayCondition(count),
    };
    return answerResult(await call.context.answers.history(found, options, call), format);
  },
});
