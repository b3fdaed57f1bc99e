import { type Completers, defineResource, textResourceContents } from '@mcp/protocol';
import type { Answer, FetchOptions, Place, WeatherService } from '@mcp/weather-data';
import type { WeatherContext } from '../context.ts';
import { completePlace, listPlaces, watchPlaces } from './listed-places.ts';

const mimeType = 'application/json';

type Variables = { readonly [name: string]: string | undefined };

/** What an answer is composed from. */
interface AnswerRequest<V extends Variables> {
  readonly weather: WeatherService;
  readonly place: Place;
  /** The variables of the URI template other than `place`. */
  readonly variables: V;
  readonly options: FetchOptions;
}

interface PlaceResourceOptions<V extends Variables> {
  /** A template with the variable `place`. */
  readonly uri: `weather://{place}/${string}`;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /**
   * Composes the answer, or throws a `Failure`. It imports its modules, so that a start does not load them.
   */
  readonly answer: (request: AnswerRequest<V>) => Promise<Answer>;
  /** Whether the resource of a place is listed; by default none is. */
  readonly isListed?: (place: Place) => boolean;
  /** Whether this template notifies of changes of the list, on behalf of all; defaults to false. */
  readonly watchesList?: boolean;
  /** Completes the variables other than `place`. */
  readonly complete?: Completers<string & keyof V, WeatherContext>;
}

/** Defines a resource template that contains the structured content of an answer about a place. */
export function placeResource<V extends Variables = Variables>({
  uri,
  answer,
  isListed,
  watchesList = false,
  complete,
  ...description
}: PlaceResourceOptions<V>) {
  const readAnswer = async (
    { place: text = '', ...variables }: Variables,
    weather: WeatherService,
    options: FetchOptions,
  ): Promise<Answer & { place: Place }> => {
    const found = await weather.find(text, options);
    if ('place' in found) {
      const { place } = found;
      return { ...(await answer({ weather, place, variables: variables as V, options })), place };
    }
    const { ambiguousPlace } = await import('@mcp/weather-data');
    throw ambiguousPlace(text, found.candidates);
  };
  const product = uri.slice('weather://{place}/'.length).replace(/\{.*$/, '');

  return defineResource<string, WeatherContext>({
    ...description,
    uri,
    mimeType,
    read: async (variables, { weather }, call) => {
      const { withResourceErrors } = await import('./as-tool-errors.ts');
      return withResourceErrors(call.uri, async () => {
        const { facts } = await readAnswer(variables, weather, {});
        return textResourceContents(call.uri, JSON.stringify(facts, null, 2), mimeType);
      });
    },
    watch: async (variables, changed, { weather }, call) => {
      const { withResourceErrors } = await import('./as-tool-errors.ts');
      // Only the core is compared: an answer that has grown older has not changed.
      const read = async (options: FetchOptions) => {
        const { core, place } = await readAnswer(variables, weather, options);
        return JSON.stringify([place.latitude, place.longitude, core]);
      };
      return withResourceErrors(call.uri, () => weather.changes.watch(read, changed));
    },
    ...(isListed && {
      list: ({ weather }: WeatherContext) =>
        listPlaces(weather, { product, title: description.title, mimeType, isListed }),
    }),
    ...(watchesList && {
      watchList: (changed: () => void, { weather }: WeatherContext) => watchPlaces(weather, changed),
    }),
    complete: {
      ...complete,
      place: (typed: string, { weather }: WeatherContext) => completePlace(typed, weather),
    },
  });
}
