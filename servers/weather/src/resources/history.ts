import { completeDate } from '../input/uri-variables.ts';
import { placeResource } from '../input/place-resource.ts';

export const history = placeResource<{ date: string }>({
  uri: 'weather://{place}/history/{date}',
  name: 'history',
  title: 'Past weather',
  description: 'One past local day, since 1940.',
  answer: ({ answers, place, variables: { date }, options }) =>
    answers.history(place, { start: date, end: date }, options),
  complete: {
    date: (typed, call) => completeDate(typed, call, [-1, -30]),
  },
});
