import { placeResource } from '../input/place-resource.ts';

export const current = placeResource({
  uri: 'weather://{place}/current',
  name: 'current',
  title: 'Current weather',
  description: 'The current weather at a place: a saved place, coordinates or a name.',
  answer: ({ answers, place, options }) => answers.current(place, {}, options),
  isListed: () => true,
  watchesList: true,
});
