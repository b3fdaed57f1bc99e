import { defineResource } from '@mcp/protocol';
import type { Weather } from '../context.ts';
import { completePlace, listPlaces, type PlaceAnswer, readPlace, watchPlace } from '../input/place-uri.ts';

const answer =
  (weather: Weather): PlaceAnswer =>
  async (place, ask) => {
    const { alertsAnswer } = await import('../answers/alerts.ts');
    return alertsAnswer(weather, { place }, ask);
  };

/** Official warnings. */
export const alerts = defineResource({
  uri: 'weather://{place}/alerts',
  name: 'alerts',
  title: 'Official alerts',
  description: 'Official warnings in force at a place in the United States.',
  mimeType: 'application/json',
  read: ({ place }, weather: Weather, { uri }) => readPlace({ uri, place, weather, answer: answer(weather) }),
  watch: ({ place }, changed, weather: Weather, { uri }) =>
    watchPlace({ uri, place, weather, answer: answer(weather) }, changed),
  list: (weather: Weather) =>
    listPlaces(weather, 'alerts', 'Official alerts', ({ countryCode }) => countryCode === 'US'),
  complete: {
    place: (typed, weather: Weather) => completePlace(typed, weather),
  },
});
