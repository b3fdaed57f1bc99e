import { placeResource } from '../input/place-resource.ts';

export const current = placeResource({
  uri: 'weather://{place}/current',
  name: 'current',
  title: 'Current weather',
  description: 'The current weather at a place: a saved place, coordinates or a name.',
  answer: async ({ weather, place, options }) => {
    const { currentAnswer } = await import('@mcp/weather-data');
    return currentAnswer(weather, place, weather.units, options);
  },
  isListed: () => true,
  watchesList: true,
});
