import type { Call } from '@mcp/protocol';
import { type Answer, type Facts, invalidArgument, type Place, WeatherError } from '@mcp/weather-data';
import * as z from 'zod';
import type { WeatherContext } from '../context.ts';
import { answerResult } from '../text/answer-result.ts';
import type { AnswerFormat } from './shared-arguments.ts';
import { findOrAsk, parsePlaces, placeDescription } from './place-argument.ts';

export const maxPlaces = 10;

interface PlacesRequest {
  readonly call: Call<WeatherContext>;
  readonly format: AnswerFormat;
}

export const placesInput = z
  .union([z.string(), z.array(z.string())])
  .describe(`${placeDescription}; or up to ${maxPlaces}`);

/**
 * Answers for the one place or for each place of the argument. Of several places, a failure is shown beside
 * the answers for the others; the result is an error only if all places fail.
 */
export async function answerEachPlace(
  argument: string | readonly string[],
  { call, format }: PlacesRequest,
  answer: (place: Place) => Promise<Answer>,
) {
  const given = parsePlaces(argument);
  if (typeof given === 'string') {
    return answerResult(await answer(await findOrAsk(given, call)), format);
  }
  if (given.length === 0 || given.length > maxPlaces) {
    throw invalidArgument(
      'place',
      `Invalid place: a list of ${given.length} places; expected 1 to ${maxPlaces}`,
    );
  }
  const outcomes = await Promise.all(given.map((text) => outcomeOf(text, call, answer)));
  const shown = outcomes.slice(0, countOf(outcomes));
  const left = given.slice(shown.length);
  const rest =
    left.length === 0
      ? []
      : [
          `Left out, because it is too much for one answer: ${JSON.stringify(left)}; ask for these places in another call`,
        ];
  const content = [...shown.map(({ text }) => text), ...rest].join('\n\n');
  const places = shown.map(({ facts }) => facts);
  const [first] = outcomes;
  if (first?.failed && outcomes.every(({ failed }) => failed))
    throw new WeatherError(first.failed, content, { places });
  return answerResult(
    { text: content, facts: { places, ...(left.length > 0 && { leftOut: left }) } },
    format,
  );
}

/**
 * Maximum number of characters of the answers for several places. Answers beyond it are left out. No answer
 * is longer than 40,000 characters; the others are for the line that names the places that are left out.
 */
const maxLength = 38_000;

/** The number of outcomes that fit into one answer, both as text and as JSON; at least one. */
function countOf(outcomes: readonly { readonly text: string; readonly facts: Facts }[]): number {
  let length = 0;
  const end = outcomes.findIndex(
    ({ text, facts }) => (length += Math.max(text.length, JSON.stringify(facts).length) + 2) > maxLength,
  );
  return end === -1 ? outcomes.length : Math.max(1, end);
}

/** The answer for one of several places; if it fails, the error in place of the answer. */
async function outcomeOf(
  text: string,
  call: Call<WeatherContext>,
  answer: (place: Place) => Promise<Answer>,
): Promise<{ text: string; facts: Facts; failed?: WeatherError['kind'] }> {
  try {
    return await answer(await call.context.weather.findOnly(text, call));
  } catch (error) {
    if (!(error instanceof WeatherError)) throw error;
    return { text: error.message, facts: error.structured, failed: error.kind };
  }
}
