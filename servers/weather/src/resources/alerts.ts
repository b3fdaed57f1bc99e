import { hasAlerts } from '@mcp/weather-data';
import { placeResource } from '../input/place-resource.ts';

export const alerts = placeResource({
  uri: 'weather://{place}/alerts',
  name: 'alerts',
  title: 'Official alerts',
  description: 'Active official alerts at a place in the United States, most of Europe or Israel.',
  answer: ({ answers, place, options }) => answers.alerts({ place }, 0, options),
  isListed: hasAlerts,
});
