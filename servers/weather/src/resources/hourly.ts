import { placeResource } from '../input/place-resource.ts';

export const hourly = placeResource<{ date: string }>({
  uri: 'weather://{place}/hourly/{date}',
  name: 'hourly',
  title: 'Hourly forecast',
  description: 'One local day of the forecast, hour by hour.',
  answer: async ({ weather, place, variables, options }) => {
    const { hourlyAnswer } = await import('@mcp/weather-data');
    return hourlyAnswer(weather, place, variables.date, weather.units, options);
  },
  complete: {
    date: async (typed, { weather }) => {
      const { completeDate } = await import('../input/date-argument.ts');
      return completeDate(typed, weather.clock.now(), [0, 15]);
    },
  },
});
