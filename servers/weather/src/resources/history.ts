import { defineResource } from '@mcp/protocol';
import { checkDate, historyAnswer } from '../answers.ts';
import { completeDate } from '../complete-date.ts';
import type { Weather } from '../context.ts';
import { completePlace, type PlaceAnswer, readPlace, watchPlace } from '../place-resource.ts';

const answer =
  (weather: Weather, date: string): PlaceAnswer =>
  async (place, ask) => {
    checkDate(date);
    return historyAnswer(weather, place, { start: date, end: date, units: weather.forecasts.units }, ask);
  };

/** One day that is over. */
export const history = defineResource({
  uri: 'weather://{place}/history/{date}',
  name: 'history',
  title: 'Past weather',
  description: 'One local day that is over, since 1940.',
  mimeType: 'application/json',
  read: ({ place, date }, weather: Weather, uri) => readPlace(uri, place, weather, answer(weather, date)),
  watch: ({ place, date }, changed, weather: Weather, uri) =>
    watchPlace(uri, place, weather, answer(weather, date), changed),
  complete: {
    place: (typed, weather: Weather) => completePlace(typed, weather),
    date: (typed, weather: Weather) => completeDate(typed, weather, [-1, -30]),
  },
});
