import { type Call, defineTool, jsonResult } from '@mcp/protocol';
import { type Answer, type Facts, invalidArgument, WeatherError } from '@mcp/weather-data';
import { visibleTo } from '@mcp/views';
import * as z from 'zod';
import type { WeatherContext } from '../context.ts';
import { daysInput, unitsInput } from '../input/shared-arguments.ts';
import { otherPlaceNames } from '../input/other-names.ts';
import { parsePlaces } from '../input/place-argument.ts';
import { maxPlaces, placesInput } from '../input/several-places.ts';

/** By this tool, the view reads what it shows. The numbers are metric: the view converts them. */
export const refreshForecast = defineTool({
  name: 'refresh_forecast',
  title: 'Refresh forecast',
  description: 'Returns the hours, the days, the current weather and the alerts of places to the view.',
  annotations: { readOnlyHint: true },
  inputSchema: z.object({ place: placesInput, days: daysInput, units: unitsInput }),
  view: visibleTo(['app']),
  interpret: otherPlaceNames({ forecast_days: 'days', num_days: 'days' }),
  run: async ({ place, days = 7, units }, call: Call<WeatherContext>) => {
    const given = [parsePlaces(place)].flat();
    if (given.length === 0 || given.length > maxPlaces)
      throw invalidArgument(
        'place',
        `Invalid place: a list of ${given.length} places; expected 1 to ${maxPlaces}`,
      );
    const { weather } = call.context;
    const facts = {
      now: new Date(weather.clock.now()).toISOString(),
      units: units ?? weather.units,
      places: await Promise.all(given.map((asked) => weatherOf(asked, days, call))),
    };
    return jsonResult({ content: 'The weather is in structuredContent', json: JSON.stringify(facts) });
  },
});

/** The weather of a place, or the error of its forecast. The current weather and the alerts may be errors. */
async function weatherOf(asked: string, days: number, call: Call<WeatherContext>): Promise<Facts> {
  const { weather, answers } = call.context;
  const units = 'metric';
  try {
    const place = await weather.findOnly(asked, call);
    const [forecast, current, alerts] = await Promise.all([
      answers.forecast(place, { days, hourly: true, units }, call).then(({ facts }) => facts),
      factsOrError(answers.current(place, { units }, call)),
      factsOrError(answers.alerts({ place }, undefined, call)),
    ]);
    return { asked, forecast, current, alerts };
  } catch (error) {
    return { asked, ...errorFacts(error) };
  }
}

function factsOrError(answer: Promise<Answer>): Promise<Facts> {
  return answer.then(({ facts }) => facts, errorFacts);
}

function errorFacts(error: unknown): Facts {
  if (error instanceof WeatherError) return error.structured;
  throw error;
}
