import { placeResource } from '../input/place-resource.ts';

export const airQuality = placeResource({
  uri: 'weather://{place}/air-quality',
  name: 'air-quality',
  title: 'Air quality',
  description: 'Current air quality indices, pollutants and, in Europe, pollen at a place.',
  answer: ({ answers, place, options }) => answers.airQuality(place, options),
});
