import { placeResource } from '../input/place-resource.ts';

export const airQuality = placeResource({
  uri: 'weather://{place}/air-quality',
  name: 'air-quality',
  title: 'Air quality',
  description: 'Current air quality indices, pollutants and, in Europe, pollen at a place.',
  answer: async ({ weather, place, options }) => {
    const { airQualityAnswer } = await import('@mcp/weather-data');
    return airQualityAnswer(weather, place, options);
  },
});
