import { defineResource } from '@mcp/protocol';
import { hourlyAnswer } from '../answers.ts';
import type { Weather } from '../context.ts';
import { completeDate } from '../complete-date.ts';
import { completePlace, type PlaceAnswer, readPlace, watchPlace } from '../place-resource.ts';

const answer =
  (weather: Weather, date: string): PlaceAnswer =>
  (place, ask) =>
    hourlyAnswer(weather, place, date, weather.forecasts.units, ask);

/** One of the days ahead, hour by hour. */
export const hourly = defineResource({
  uri: 'weather://{place}/hourly/{date}',
  name: 'hourly',
  title: 'Hourly forecast',
  description: 'One local day of the forecast, hour by hour.',
  mimeType: 'application/json',
  read: ({ place, date }, weather: Weather, uri) => readPlace(uri, place, weather, answer(weather, date)),
  watch: ({ place, date }, changed, weather: Weather, uri) =>
    watchPlace(uri, place, weather, answer(weather, date), changed),
  complete: {
    place: (typed, weather: Weather) => completePlace(typed, weather),
    date: (typed, weather: Weather) => completeDate(typed, weather, [0, 15]),
  },
});
