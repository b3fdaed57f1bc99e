import { type ListedResource, type ResourceContents, textContents } from '@mcp/protocol';
import type { Ask } from './backend/document.ts';
import { type Place, placeKey, placeName } from './backend/place.ts';
import type { Weather } from './context.ts';
import { readingUri } from './failures.ts';
import { ambiguous } from './ambiguous.ts';
import type { Rendered } from './rendered.ts';

/** Answers about the place of a URI. */
export type PlaceAnswer = (place: Place, ask: Ask) => Promise<Rendered>;

/** Reads what a URI says of a place, as JSON. */
export function readPlace(
  uri: string,
  name: string,
  weather: Weather,
  answer: PlaceAnswer,
  ask: Ask = {},
): Promise<ResourceContents> {
  return readingUri(uri, async () => {
    const { facts } = await answer(await placeIn(name, weather, ask), ask);
    return textContents(uri, JSON.stringify(facts, null, 2), 'application/json');
  });
}

/** Calls `changed` when what a URI says of a place is something else; not when only its age is. */
export function watchPlace(
  uri: string,
  name: string,
  weather: Weather,
  answer: PlaceAnswer,
  changed: () => void,
) {
  const look = async (ask: Ask) => {
    const place = await placeIn(name, weather, ask);
    const { core } = await answer(place, ask);
    return JSON.stringify([placeKey(place), core]);
  };
  return readingUri(uri, () => weather.forecasts.live.watch(look, changed));
}

/** One resource for each saved place, and for each of a dataset. */
export async function listPlaces(
  weather: Weather,
  product: string,
  title: string,
  only: (place: Place) => boolean = () => true,
): Promise<ListedResource[]> {
  return (await listedPlaces(weather))
    .filter(({ place }) => only(place))
    .map(({ name, place }) => ({
      uri: uriOf(name, product),
      name: `${name}: ${product}`,
      title: `${title}: ${placeName(place) ?? name}`,
      mimeType: 'application/json',
    }));
}

/** Calls `changed` when a place is saved, removed, or saved anew, or comes to a dataset or goes. */
export async function watchPlaces(weather: Weather, changed: () => void) {
  const look = async ({ used }: Ask) => {
    used?.(weather.forecasts.saved.file);
    return JSON.stringify(await listedPlaces(weather, used ? { used } : {}));
  };
  return weather.forecasts.live.watchFiles(look, changed);
}

export async function completePlace(typed: string, { forecasts }: Weather): Promise<string[]> {
  const start = typed.toLowerCase();
  return (await forecasts.knownNames()).filter((name) => name.toLowerCase().startsWith(start));
}

export function uriOf(name: string, product: string): string {
  return `weather://${encodeURIComponent(name)}/${product}`;
}

async function listedPlaces(
  { forecasts }: Weather,
  ask: Ask = {},
): Promise<{ name: string; place: Place }[]> {
  const saved = forecasts.saved.all.map((place) => ({ name: place.saved, place }));
  const own = (await forecasts.ownPlaces(ask)).map((place) => ({ name: place.dataset, place }));
  const names = new Set(saved.map(({ name }) => name.toLowerCase()));
  return [...saved, ...own.filter(({ name }) => !names.has(name.toLowerCase()))];
}

async function placeIn(name: string, { forecasts }: Weather, ask: Ask): Promise<Place> {
  const found = await forecasts.find(name, ask);
  if ('place' in found) return found.place;
  throw ambiguous(name, found.candidates);
}
