import { defineResource } from '@mcp/protocol';
import type { Weather } from '../context.ts';
import { completePlace, type PlaceAnswer, readPlace, watchPlace } from '../input/place-uri.ts';

const answer =
  (weather: Weather): PlaceAnswer =>
  async (place, ask) => {
    const { airAnswer } = await import('../answers/air-quality.ts');
    return airAnswer(weather, place, ask);
  };

/** The air now. */
export const airQuality = defineResource({
  uri: 'weather://{place}/air-quality',
  name: 'air-quality',
  title: 'Air quality',
  description: 'Air quality indices, pollutants and, in Europe, pollen at a place now.',
  mimeType: 'application/json',
  read: ({ place }, weather: Weather, { uri }) => readPlace({ uri, place, weather, answer: answer(weather) }),
  watch: ({ place }, changed, weather: Weather, { uri }) =>
    watchPlace({ uri, place, weather, answer: answer(weather) }, changed),
  complete: {
    place: (typed, weather: Weather) => completePlace(typed, weather),
  },
});
