import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { factsOutput } from '../answers/answer.ts';
import { forecastAnswer } from '../answers/forecast.ts';
import { hoursTableAnswer } from '../answers/hours-table.ts';
import type { WeatherContext } from '../context.ts';
import { withToolErrors } from '../input/as-tool-errors.ts';
import { parseInterval, parseMeasures } from '../input/hours-argument.ts';
import { placesInput, withEachPlace } from '../input/several-places.ts';
import { unitsInput } from '../input/units-argument.ts';

export const forecast = defineTool({
  name: 'forecast',
  title: 'Forecast',
  description: 'The next days at a place, today first.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({
    place: placesInput,
    days: z.int().min(1).max(16).optional().describe('Default: 7'),
    hourly: z.boolean().optional().describe('Also the hours of the first 7 days'),
    hours: z.string().optional().describe('Only these local hours, as a table: 2026-11-20T06/2026-11-21T18'),
    measures: z.array(z.string()).optional().describe('Columns of that table: temperature, windSpeed …'),
    units: unitsInput,
  }),
  outputSchema: factsOutput,
  run: (
    { place, days = 7, hourly = false, hours, measures, units: given },
    { weather }: WeatherContext,
    call,
  ) =>
    withToolErrors(() => {
      const units = given ?? weather.units;
      if (hours === undefined && measures === undefined) {
        return withEachPlace(place, weather, call, (found) =>
          forecastAnswer(weather, found, { days, hourly, units }, call),
        );
      }
      const table = {
        days,
        units,
        measures: parseMeasures(measures),
        interval: hours === undefined ? undefined : parseInterval(hours),
      };
      return withEachPlace(place, weather, call, (found) => hoursTableAnswer(weather, found, table, call));
    }),
});
