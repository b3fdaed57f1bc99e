import { type ListedResource, type ResourceContents, textResourceContents } from '@mcp/protocol';
import type { Ask } from '../backend/cache/upstream-document.ts';
import type { Place } from '../backend/places/place.ts';
import type { Weather } from '../context.ts';
import type { Rendered } from '../answers/rendered.ts';

/** What a URI asks about its place. The answers themselves are loaded when the first is asked for. */
export type PlaceAnswer = (place: Place, ask: Ask) => Promise<Rendered>;

interface Asked {
  readonly uri: string;
  readonly place: string;
  readonly weather: Weather;
  readonly answer: PlaceAnswer;
}

/** Reads what a URI says of a place, as JSON. */
export async function readPlace(asked: Asked): Promise<ResourceContents> {
  const { uri } = asked;
  const { readingUri } = await import('./as-tool-errors.ts');
  return readingUri(uri, async () => {
    const { facts } = await answerTo(asked, {});
    return textResourceContents(uri, JSON.stringify(facts, null, 2), 'application/json');
  });
}

/** Calls `changed` when what a URI says of a place is something else; not when only its age is. */
export async function watchPlace(asked: Asked, changed: () => void): Promise<() => void> {
  const { readingUri } = await import('./as-tool-errors.ts');
  const look = async (ask: Ask) => {
    const { core, place } = await answerTo(asked, ask);
    return JSON.stringify([place.latitude, place.longitude, core]);
  };
  return readingUri(asked.uri, () => asked.weather.forecasts.live.watch(look, changed));
}

async function answerTo(
  { place: name, weather, answer }: Asked,
  ask: Ask,
): Promise<Rendered & { place: Place }> {
  const found = await weather.forecasts.find(name, ask);
  if ('place' in found) return { ...(await answer(found.place, ask)), place: found.place };
  const { ambiguous } = await import('../text/ambiguous.ts');
  throw ambiguous(name, found.candidates);
}

/** One resource for each saved place, and for each of a dataset. */
export async function listPlaces(
  weather: Weather,
  product: string,
  title: string,
  only: (place: Place) => boolean = () => true,
): Promise<ListedResource[]> {
  const listed = (await listedPlaces(weather)).filter(({ place }) => only(place));
  return listed.map(({ name, place }) => ({
    uri: `weather://${encodeURIComponent(name)}/${product}`,
    name: `${name}: ${product}`,
    title: `${title}: ${place.name ?? name}`,
    mimeType: 'application/json',
  }));
}

/** Calls `changed` when a place is saved, removed, or saved anew, or comes to a dataset or goes. */
export function watchPlaces(weather: Weather, changed: () => void): Promise<() => void> {
  const look = async ({ used }: Ask) => {
    used?.(weather.forecasts.saved.file);
    return JSON.stringify(await listedPlaces(weather, used ? { used } : {}));
  };
  return weather.forecasts.live.watchFiles(look, changed);
}

/** Names that begin as typed. */
export async function completePlace(typed: string, { forecasts }: Weather): Promise<string[]> {
  const start = typed.toLowerCase();
  return (await forecasts.knownNames()).filter((name) => name.toLowerCase().startsWith(start));
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
