import {
  acceptedContent,
  type Call,
  elicit,
  type InputRequired,
  inputRequired,
  supportsForms,
} from '@mcp/protocol';
import * as z from 'zod';
import {
  ambiguousPlace,
  invalidArgument,
  maxChoices,
  type Place,
  placeText,
  quoted,
} from '@mcp/weather-data';
import type { WeatherContext } from '../context.ts';

export const placeDescription = "'52.52,13.41', saved place or name: 'Portland, Oregon'";

export const placeInput = z.string().describe(placeDescription);

/** Returns one place or several. A model may have written the list as JSON text. */
export function parsePlaces(given: string | readonly string[]): string | readonly string[] {
  if (typeof given !== 'string' || !given.trimStart().startsWith('[')) return given;
  try {
    const list: unknown = JSON.parse(given);
    return Array.isArray(list) && list.every((each) => typeof each === 'string') ? list : given;
  } catch {
    return given;
  }
}

/** Throws a `WeatherError` if the argument is a list of several places. */
export function onlyPlace(given: string | readonly string[]): string {
  const place = parsePlaces(given);
  if (typeof place === 'string') return place;
  if (place.length === 1) return place[0]!;
  throw invalidArgument('place', `Invalid place: a list of ${place.length} places; expected one place`);
}

/** Finds the place that a text denotes and passes it to `use`; otherwise like {@link withPlaces}. */
export async function withPlace<Result>(
  given: string | readonly string[],
  call: Call<WeatherContext>,
  use: (place: Place) => Promise<Result>,
): Promise<Result | InputRequired> {
  const text = onlyPlace(given);
  // The call is passed as options because it has their `signal`.
  const found = await call.context.weather.find(text, call);
  if ('place' in found) return await use(found.place);
  // The text is ambiguous. The candidates are cached now, and the user is asked which of them is meant.
  return await withPlaces({ place: text }, call, ({ place }) => use(place));
}

/**
 * Passes the places that texts denote to `use`, and returns its result. If a text is ambiguous and the client
 * supports forms, returns a question to the user instead, which the handler must return.
 * @throws `WeatherError` of kind `ambiguous_place`, with the candidates, if the client does not support forms
 */
export async function withPlaces<Key extends string, Result>(
  texts: { readonly [K in Key]: string },
  call: Call<WeatherContext>,
  use: (places: { readonly [K in Key]: Place }) => Promise<Result>,
): Promise<Result | InputRequired> {
  const { inputs, clientCapabilities } = call;
  const places: { [key: string]: Place } = {};
  const questions: { [key: string]: ReturnType<typeof elicit> } = {};
  for (const [key, text] of Object.entries<string>(texts)) {
    const found = await call.context.weather.find(text, call);
    if ('place' in found) {
      places[key] = found.place;
      continue;
    }
    const choices = new Map(found.candidates.slice(0, maxChoices).map((each) => [placeText(each), each]));
    const form = z.object({ choice: z.enum([...choices.keys()] as [string, ...string[]]) });
    const answer = await acceptedContent(inputs[key], form);
    if (answer) places[key] = choices.get(answer.choice)!;
    else if (inputs[key] || !supportsForms(clientCapabilities)) throw ambiguousPlace(text, found.candidates);
    else questions[key] = elicit(`Which place do you mean by ${quoted(text)}?`, form);
  }
  if (Object.keys(questions).length > 0) return inputRequired(questions);
  return use(places as { readonly [K in Key]: Place });
}
