import type { Call, ListedResource } from '@mcp/protocol';
import type { FetchOptions, Place, WeatherService } from '@mcp/weather-data';
import type { WeatherContext } from '../context.ts';

interface ListOptions {
  readonly product: string;
  readonly title: string;
  readonly mimeType: string;
  readonly isListed: (place: Place) => boolean;
}

/** Lists one resource for each saved place and each place of a dataset. */
export async function listPlaces(
  weather: WeatherService,
  { product, title, mimeType, isListed }: ListOptions,
): Promise<ListedResource[]> {
  const places = (await knownPlaces(weather)).filter(({ place }) => isListed(place));
  return places.map(({ name, place }) => ({
    uri: `weather://${encodeURIComponent(name)}/${product}`,
    name: `${name}: ${product}`,
    title: `${title}: ${place.name ?? name}`,
    mimeType,
  }));
}

/** Calls `changed` when a place is saved, changed or removed, or when the places of a dataset change. */
export function watchPlaces(weather: WeatherService, changed: () => void): Promise<() => void> {
  const read = async ({ onDependency }: FetchOptions) => {
    // `watchFiles` watches each file that is passed to `onDependency`. `knownPlaces` passes the files of a
    // dataset, but not that of the saved places, because `saved.all` takes no options.
    onDependency?.(weather.saved.file);
    return JSON.stringify(await knownPlaces(weather, onDependency ? { onDependency } : {}));
  };
  return weather.changes.watchFiles(read, changed);
}

export async function completePlace(
  typed: string,
  { context: { weather } }: Call<WeatherContext>,
): Promise<string[]> {
  const start = typed.toLowerCase();
  const names = (await knownPlaces(weather)).map(({ name }) => name);
  return names.filter((name) => name.toLowerCase().startsWith(start));
}

async function knownPlaces(
  weather: WeatherService,
  options: FetchOptions = {},
): Promise<{ name: string; place: Place }[]> {
  const saved = weather.saved.all.map((place) => ({ name: place.saved, place }));
  const fromDataset = (await weather.datasetPlaces(options)).map((place) => ({ name: place.dataset, place }));
  const names = new Set(saved.map(({ name }) => name.toLowerCase()));
  return [...saved, ...fromDataset.filter(({ name }) => !names.has(name.toLowerCase()))];
}
