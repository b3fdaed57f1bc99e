import { type Call, elicit, supportsForms } from '@mcp/protocol';
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
function onlyPlace(given: string | readonly string[]): string {
  const place = parsePlaces(given);
  if (typeof place === 'string') return place;
  if (place.length === 1) return place[0]!;
  throw invalidArgument('place', `Invalid place: a list of ${place.length} places; expected one place`);
}

/**
 * Finds the place that the argument denotes. If it is ambiguous and the client supports forms, the user is
 * asked which place it denotes.
 * @throws `WeatherError` of kind `ambiguous_place`, with the candidates, if the client does not support forms
 */
export async function findOrAsk(
  given: string | readonly string[],
  call: Call<WeatherContext>,
): Promise<Place> {
  return findOrAskFor('place', onlyPlace(given), call);
}

/** Like {@link findOrAsk}, for one of several places of a handler: `key` is the name of its argument. */
export async function findOrAskFor(key: string, text: string, call: Call<WeatherContext>): Promise<Place> {
  // `call` is passed as the `FetchOptions`: both have the member `signal`.
  const found = await call.context.weather.find(text, call);
  if ('place' in found) return found.place;
  const choices = new Map(found.candidates.slice(0, maxChoices).map((each) => [placeText(each), each]));
  const form = z.object({ choice: z.enum([...choices.keys()] as [string, ...string[]]) });
  const asked = elicit(`Which place do you mean by ${quoted(text)}?`, form);
  const answer = supportsForms(call.clientCapabilities) ? await call.ask(key, asked) : undefined;
  if (!answer) throw ambiguousPlace(text, found.candidates);
  return choices.get(answer.choice)!;
}
