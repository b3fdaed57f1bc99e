import { placeResource } from '../input/place-resource.ts';

export const history = placeResource<{ date: string }>({
  uri: 'weather://{place}/history/{date}',
  name: 'history',
  title: 'Past weather',
  description: 'One past local day, since 1940.',
  answer: async ({ weather, place, variables: { date }, options }) => {
    const { historyAnswer } = await import('@mcp/weather-data');
    return historyAnswer(weather, place, { start: date, end: date, units: weather.units }, options);
  },
  complete: {
    date: async (typed, { weather }) => {
      const { completeDate } = await import('../input/date-argument.ts');
      return completeDate(typed, weather.clock.now(), [-1, -30]);
    },
  },
});
