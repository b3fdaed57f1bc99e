import { defineResource } from '@mcp/protocol';
import type { Weather } from '../context.ts';
import { completePlace, type PlaceAnswer, readPlace, watchPlace } from '../input/place-uri.ts';

const answer =
  (weather: Weather, date: string): PlaceAnswer =>
  async (place, ask) => {
    const { hourlyAnswer } = await import('../answers/forecast.ts');
    return hourlyAnswer(weather, place, date, weather.forecasts.units, ask);
  };

/** One of the days ahead, hour by hour. */
export const hourly = defineResource({
  uri: 'weather://{place}/hourly/{date}',
  name: 'hourly',
  title: 'Hourly forecast',
  description: 'One local day of the forecast, hour by hour.',
  mimeType: 'application/json',
  read: ({ place, date }, weather: Weather, { uri }) =>
    readPlace({ uri, place, weather, answer: answer(weather, date) }),
  watch: ({ place, date }, changed, weather: Weather, { uri }) =>
    watchPlace({ uri, place, weather, answer: answer(weather, date) }, changed),
  complete: {
    place: (typed, weather: Weather) => completePlace(typed, weather),
    date: async (typed, { forecasts }: Weather) => {
      const { completeDate } = await import('../input/date-argument.ts');
      return completeDate(typed, forecasts.clock.now(), [0, 15]);
    },
  },
});
