import {
  acceptedContent,
  type Call,
  elicit,
  type InputRequired,
  inputRequired,
  supportsForms,
} from '@mcp/protocol';
import * as z from 'zod';
import { ambiguous, mostChoices } from '../text/ambiguous.ts';
import { quoted } from '../backend/errors.ts';
import type { Found } from '../backend/places/find-place.ts';
import { go, type Maybe } from '../backend/maybe-promise.ts';
import { type Place, placeText } from '../backend/places/place.ts';
import type { Weather } from '../context.ts';

export const placeInput = z
  .string()
  .describe('Coordinates "52.52,13.41", saved place, or name such as "Portland, Oregon"');

/** Does something with the place that a text means, as {@link withPlaces}. */
export function withPlace<Result>(
  text: string,
  weather: Weather,
  call: Call,
  use: (place: Place) => Maybe<Result>,
) {
  return go<Found, Result | InputRequired>(weather.forecasts.find(text, call), (found) =>
    'place' in found
      ? use(found.place)
      : withPlaces({ place: text }, weather, call, ({ place }) => use(place)),
  );
}

/**
 * Does something with the places that texts mean. Where one may mean several, the user is asked which, where the client
 * can ask; otherwise they are told as a failure. What this gives has to be returned.
 */
export async function withPlaces<Key extends string, Result>(
  texts: { readonly [K in Key]: string },
  { forecasts }: Weather,
  call: Call,
  use: (places: { readonly [K in Key]: Place }) => Maybe<Result>,
) {
  const { inputs, clientCapabilities } = call;
  const places: { [key: string]: Place } = {};
  const questions: { [key: string]: ReturnType<typeof elicit> } = {};
  for (const [key, text] of Object.entries<string>(texts)) {
    const found = await forecasts.find(text, call);
    if ('place' in found) {
      places[key] = found.place;
      continue;
    }
    const choices = new Map(found.candidates.slice(0, mostChoices).map((each) => [placeText(each), each]));
    const form = z.object({ choice: z.enum([...choices.keys()] as [string, ...string[]]) });
    const answer = await acceptedContent(inputs[key], form);
    if (answer) places[key] = choices.get(answer.choice)!;
    else if (inputs[key] || !supportsForms(clientCapabilities)) throw ambiguous(text, found.candidates);
    else questions[key] = elicit(`Which place is meant by ${quoted(text)}?`, form);
  }
  if (Object.keys(questions).length > 0) return inputRequired(questions);
  return use(places as { readonly [K in Key]: Place });
}
