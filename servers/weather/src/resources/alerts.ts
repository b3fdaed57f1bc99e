import { placeResource } from '../input/place-resource.ts';

export const alerts = placeResource({
  uri: 'weather://{place}/alerts',
  name: 'alerts',
  title: 'Official alerts',
  description: 'Active official alerts at a place in the United States.',
  answer: async ({ weather, place, options }) => {
    const { alertsAnswer } = await import('@mcp/weather-data');
    return alertsAnswer(weather, { place }, options);
  },
  isListed: ({ countryCode }) => countryCode === 'US',
});
