import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { answerResult, factsOf } from '../text/answer-result.ts';
import { invalidArgument, parseLatLon } from '@mcp/weather-data';
import type { WeatherContext } from '../context.ts';
import { daysInput } from '../input/shared-arguments.ts';
import { pointNames, otherArgumentNames } from '../input/other-names.ts';
import { findOrAsk } from '../input/place-argument.ts';
import { forecastView } from '../views.ts';

/** The names are those of the MCP quickstart, because prompts and allow-lists contain them. */
export const getForecast = defineTool({
  name: 'get_forecast',
  title: 'Forecast (older name)',
  description: 'Same as forecast, by latitude and longitude or by city.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({
    latitude: z.number().optional(),
    longitude: z.number().optional(),
    city: z.string().optional(),
    days: daysInput,
  }),
  outputSchema: factsOf('forecast'),
  view: forecastView,
  interpret: otherArgumentNames({ ...pointNames, place: 'city', location: 'city', forecast_days: 'days' }),
  run: async ({ latitude, longitude, city, days = 7 }, call: Call<WeatherContext>) => {
    const byCity = city !== undefined;
    const byPoint = latitude !== undefined && longitude !== undefined;
    if (byCity === byPoint || (byCity && (latitude ?? longitude) !== undefined)) {
      throw invalidArgument('city', 'Invalid arguments: expected either city, or latitude and longitude');
    }
    const place = byCity ? await findOrAsk(city, call) : parseLatLon(latitude!, longitude!);
    return answerResult(await call.context.answers.forecast(place, { days, hourly: false }, call));
  },
});
