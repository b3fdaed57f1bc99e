import { defineResource } from '@mcp/protocol';
import type { Weather } from '../context.ts';
import {
  completePlace,
  listPlaces,
  type PlaceAnswer,
  readPlace,
  watchPlace,
  watchPlaces,
} from '../input/place-uri.ts';

const answer =
  (weather: Weather): PlaceAnswer =>
  async (place, ask) => {
    const { currentAnswer } = await import('../answers/current.ts');
    return currentAnswer(weather, place, weather.forecasts.units, ask);
  };

/** The weather at a place now. */
export const current = defineResource({
  uri: 'weather://{place}/current',
  name: 'current',
  title: 'Current weather',
  description: 'The weather at a place now. A place is a saved one, coordinates or a name.',
  mimeType: 'application/json',
  read: ({ place }, weather: Weather, { uri }) => readPlace({ uri, place, weather, answer: answer(weather) }),
  watch: ({ place }, changed, weather: Weather, { uri }) =>
    watchPlace({ uri, place, weather, answer: answer(weather) }, changed),
  list: (weather: Weather) => listPlaces(weather, 'current', 'Current weather'),
  // One of the templates tells for all of them.
  watchList: (changed, weather: Weather) => watchPlaces(weather, changed),
  complete: {
    place: (typed, weather: Weather) => completePlace(typed, weather),
  },
});
