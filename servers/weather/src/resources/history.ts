import { defineResource } from '@mcp/protocol';
import type { Weather } from '../context.ts';
import { completePlace, type PlaceAnswer, readPlace, watchPlace } from '../input/place-uri.ts';

const answer =
  (weather: Weather, date: string): PlaceAnswer =>
  async (place, ask) => {
    const { historyAnswer } = await import('../answers/history.ts');
    return historyAnswer(weather, place, { start: date, end: date, units: weather.forecasts.units }, ask);
  };

/** One day that is over. */
export const history = defineResource({
  uri: 'weather://{place}/history/{date}',
  name: 'history',
  title: 'Past weather',
  description: 'One local day that is over, since 1940.',
  mimeType: 'application/json',
  read: ({ place, date }, weather: Weather, { uri }) =>
    readPlace({ uri, place, weather, answer: answer(weather, date) }),
  watch: ({ place, date }, changed, weather: Weather, { uri }) =>
    watchPlace({ uri, place, weather, answer: answer(weather, date) }, changed),
  complete: {
    place: (typed, weather: Weather) => completePlace(typed, weather),
    date: async (typed, { forecasts }: Weather) => {
      const { completeDate } = await import('../input/date-argument.ts');
      return completeDate(typed, forecasts.clock.now(), [-1, -30]);
    },
  },
});
