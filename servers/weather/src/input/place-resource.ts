import { type Call, type Completers, defineResource, textResourceContents } from '@mcp/protocol';
import type { Answer, FetchOptions, Place, WeatherAnswers, WeatherService } from '@mcp/weather-data';
import type { WeatherContext } from '../context.ts';
import { completePlace, listPlaces, watchPlaces } from './listed-places.ts';
import { resourceError } from './protocol-errors.ts';

const mimeType = 'application/json';

type Variables = { readonly [name: string]: string | undefined };

interface AnswerRequest<V extends Variables> {
  readonly weather: WeatherService;
  readonly answers: WeatherAnswers;
  readonly place: Place;
  /** The variables of the URI template other than `place`. */
  readonly variables: V;
  readonly options: FetchOptions;
}

interface PlaceResourceOptions<V extends Variables> {
  /** The URI template; it contains the variable `place`. */
  readonly uri: `weather://{place}/${string}`;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Composes the answer, or rejects with a `WeatherError`. */
  readonly answer: (request: AnswerRequest<V>) => Promise<Answer>;
  /** Whether the resource of a place appears in the list of resources; by default no resource appears. */
  readonly isListed?: (place: Place) => boolean;
  /** Whether this template notifies of changes of the list. One is enough, as all list the same places. */
  readonly watchesList?: boolean;
  /** Completes the variables other than `place`. */
  readonly complete?: Completers<string & keyof V, WeatherContext>;
}

/** Defines a resource template whose content is the structured content of an answer about a place. */
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
    { weather, answers }: WeatherContext,
    options: FetchOptions,
  ): Promise<Answer & { place: Place }> => {
    const place = await weather.findOnly(text, options);
    return { ...(await answer({ weather, answers, place, variables: variables as V, options })), place };
  };
  const product = uri.slice('weather://{place}/'.length).replace(/\{.*$/, '');

  return defineResource<string, WeatherContext>({
    ...description,
    uri,
    mimeType,
    async read(variables, { context, uri: requested }) {
      const { facts } = await readAnswer(variables, context, {});
      return textResourceContents(requested, JSON.stringify(facts, null, 2), mimeType);
    },
    async watch(variables, changed, call) {
      // An answer that has merely grown older has not changed, so source and age are not compared.
      const read = async (options: FetchOptions) => {
        const { core, place } = await readAnswer(variables, call.context, options);
        return JSON.stringify([place.latitude, place.longitude, core]);
      };
      return call.context.weather.changes.watch(read, changed).catch((error: unknown) => {
        throw resourceError(call.uri, error);
      });
    },
    ...(isListed && {
      list: ({ context: { weather } }: Call<WeatherContext>) =>
        listPlaces(weather, { product, title: description.title, mimeType, isListed }),
    }),
    ...(watchesList && {
      watchList: (changed: () => void, { context: { weather } }: Call<WeatherContext>) =>
        watchPlaces(weather, changed),
    }),
    complete: {
      ...complete,
      place: completePlace,
    },
  });
}
