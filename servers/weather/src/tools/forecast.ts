import { type Call, defineTool, imageContent, textContent, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import { factsOf } from '../text/answer-result.ts';
import { invalidArgument } from '@mcp/weather-data';
import type { WeatherContext } from '../context.ts';
import { daysInput, formatInput, unitsInput } from '../input/shared-arguments.ts';
import { parseInterval, parseMeasures } from '../input/hours-argument.ts';
import { findOrAsk } from '../input/place-argument.ts';
import { otherPlaceNames } from '../input/other-names.ts';
import { answerEachPlace, placesInput } from '../input/several-places.ts';
import { forecastView } from '../views.ts';

const themes = ['light', 'dark'] as const;

export const forecast = defineTool({
  name: 'forecast',
  title: 'Forecast',
  description: 'The next days at a place, today first.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({
    place: placesInput,
    days: daysInput.describe('Default: 7'),
    hourly: z.boolean().optional().describe('Also the hours of the first 7 days'),
    hours: z
      .string()
      .optional()
      .describe('Only these, as a table: 2026-11-20T06/2026-11-21T18, or T08 of each day'),
    models: z.boolean().optional().describe('Also the range of several models'),
    astronomy: z.boolean().optional().describe('Also day length and moon'),
    measures: z.array(z.string()).optional().describe('Columns: temperature, windSpeed, waveHeight …'),
    chart: z.enum(themes).optional().describe('A picture instead'),
    units: unitsInput,
    format: formatInput,
  }),
  outputSchema: factsOf('forecast'),
  view: forecastView,
  interpret: otherPlaceNames({ forecast_days: 'days', num_days: 'days' }),
  run: async (
    { place, days = 7, hourly = false, models, astronomy, hours, measures, chart, units, format },
    call: Call<WeatherContext>,
  ) => {
    if (hours === undefined && measures === undefined && chart === undefined) {
      return answerEachPlace(place, { call, format }, (found) =>
        call.context.answers.forecast(found, { days, hourly, models, astronomy, units }, call),
      );
    }
    const table = {
      days,
      units,
      measures: parseMeasures(measures),
      interval: hours === undefined ? undefined : parseInterval(hours),
    };
    if (chart === undefined) {
      return answerEachPlace(place, { call, format }, (found) =>
        call.context.answers.hours(found, table, call),
      );
    }
    if (format === 'json')
      throw invalidArgument('format', 'Invalid format: a chart has no "json"; leave out format or chart');
    const found = await findOrAsk(place, call);
    const { answer, png } = await call.context.answers.chart(found, { ...table, theme: chart }, call);
    const content = [textContent(answer.text), imageContent(png, 'image/png')];
    return toolResult({ content, structuredContent: answer.facts });
  },
});
