import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { answerResult, factsOutput } from '../answers/answer-output.ts';
import { forecastAnswer } from '../answers/forecast.ts';
import { checkedCoordinates } from '../backend/places/coordinates.ts';
import { Failure } from '../backend/errors.ts';
import type { Place } from '../backend/places/place.ts';
import { go } from '../backend/maybe-promise.ts';
import { telling } from '../input/as-tool-errors.ts';
import type { Weather } from '../context.ts';
import { withPlace } from '../input/place-argument.ts';

/** The name and parameters of the quickstart's tool, which prompts and allow-lists have. */
export const getForecast = defineTool({
  name: 'get_forecast',
  title: 'Forecast (older name)',
  description: 'As forecast, by latitude and longitude or by city.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({
    latitude: z.number().optional(),
    longitude: z.number().optional(),
    city: z.string().optional(),
    days: z.int().min(1).max(16).optional(),
  }),
  outputSchema: factsOutput,
  run: ({ latitude, longitude, city, days = 7 }, weather: Weather, call) =>
    telling(() => {
      const tell = (place: Place) => {
        const wish = { days, hourly: false, units: weather.forecasts.units };
        return go(forecastAnswer(weather, place, wish, call), answerResult);
      };
      const byCity = city !== undefined;
      const byPoint = latitude !== undefined && longitude !== undefined;
      if (byCity === byPoint || (byCity && (latitude ?? longitude) !== undefined)) {
        throw new Failure(
          'invalid_argument',
          'Give both latitude and longitude, or city and neither of them',
          { argument: 'city' },
        );
      }
      return byCity ? withPlace(city, weather, call, tell) : tell(checkedCoordinates(latitude!, longitude!));
    }),
});
