import { completeDate } from '../input/uri-variables.ts';
import { placeResource } from '../input/place-resource.ts';

export const hourly = placeResource<{ date: string }>({
  uri: 'weather://{place}/hourly/{date}',
  name: 'hourly',
  title: 'Hourly forecast',
  description: 'One local day of the forecast, hour by hour.',
  answer: ({ answers, place, variables: { date }, options }) => answers.day(place, { date }, options),
  complete: {
    date: (typed, call) => completeDate(typed, call, [0, 15]),
  },
});
