import { defineResource } from '@mcp/protocol';
import { alertsAnswer } from '../alerts-answer.ts';
import type { Weather } from '../context.ts';
import { completePlace, listPlaces, type PlaceAnswer, readPlace, watchPlace } from '../place-resource.ts';

const answer =
  (weather: Weather): PlaceAnswer =>
  (place, ask) =>
    alertsAnswer(weather, { place }, ask);

/** Official warnings. */
export const alerts = defineResource({
  uri: 'weather://{place}/alerts',
  name: 'alerts',
  title: 'Official alerts',
  description: 'Official warnings in force at a place in the United States.',
  mimeType: 'application/json',
  read: ({ place }, weather: Weather, uri) => readPlace(uri, place, weather, answer(weather)),
  watch: ({ place }, changed, weather: Weather, uri) =>
    watchPlace(uri, place, weather, answer(weather), changed),
  list: (weather: Weather) =>
    listPlaces(weather, 'alerts', 'Official alerts', ({ countryCode }) => countryCode === 'US'),
  complete: { place: (typed, weather: Weather) => completePlace(typed, weather) },
});
