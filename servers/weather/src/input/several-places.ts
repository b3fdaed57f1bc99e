import type { Call } from '@mcp/protocol';
import * as z from 'zod';
import {
  ambiguousPlace,
  type Answer,
  type Facts,
  Failure,
  type MaybePromise,
  type Place,
  thenMaybe,
  type WeatherService,
} from '@mcp/weather-data';
import { answerResult } from '../text/answer-result.ts';
import type { AnswerFormat } from './format-argument.ts';
import { parsePlaces, placeDescription, withPlace } from './place-argument.ts';

const maxPlaces = 10;

/** What the answers about places are for. */
interface PlacesRequest {
  readonly weather: WeatherService;
  readonly call: Call;
  readonly format: AnswerFormat;
}

export const placesInput = z
  .union([z.string(), z.array(z.string())])
  .describe(`${placeDescription}; or up to ${maxPlaces}`);

/**
 * Returns the answer for a place, or those for a list of places. A place of a list that fails has its error
 * beside the answers of the others; the result is an error only when all of them fail.
 */
export function withEachPlace(
  argument: string | readonly string[],
  { weather, call, format }: PlacesRequest,
  answer: (place: Place) => MaybePromise<Answer>,
) {
  const given = parsePlaces(argument);
  if (typeof given === 'string') {
    return withPlace(given, weather, call, (place) =>
      thenMaybe(answer(place), (known) => answerResult(known, format)),
    );
  }
  if (given.length === 0 || given.length > maxPlaces) {
    throw new Failure(
      'invalid_argument',
      `Invalid place: a list of ${given.length}; expected 1 to ${maxPlaces} places`,
      { argument: 'place' },
    );
  }
  return answerAll(given, { weather, call, format }, answer);
}

async function answerAll(
  texts: readonly string[],
  { weather, call, format }: PlacesRequest,
  answer: (place: Place) => MaybePromise<Answer>,
) {
  const failures: Failure[] = [];
  const outcomes = await Promise.all(
    texts.map(async (text): Promise<{ text: string; facts: Facts }> => {
      try {
        const found = await weather.find(text, call);
        if (!('place' in found)) throw ambiguousPlace(text, found.candidates);
        return await answer(found.place);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        failures.push(error);
        return { text: error.message, facts: error.structured };
      }
    }),
  );
  const content = outcomes.map(({ text }) => text).join('\n\n');
  const places = outcomes.map(({ facts }) => facts);
  const [first] = failures;
  if (first && failures.length === texts.length) throw new Failure(first.kind, content, { places });
  return answerResult({ text: content, facts: { places } }, format);
}
