import { distanceKm, parseCoordinates, assertNotCoordinates } from './coordinates.ts';
import type { Fetched, FetchOptions } from '../cache/upstream-document.ts';
import { invalidArgument, quoted, WeatherError } from '../errors.ts';
import { type Candidate, foldName, type Place, placeText } from './place.ts';
import type { SavedPlaces } from './saved-places.ts';
import { beginningOf, similarPlaces } from './similar-places.ts';
import { usStates } from './us-states.ts';

/** The place that a text denotes or, if several places match, the candidates, best first. */
export type PlaceMatch = { readonly place: Place } | { readonly candidates: readonly Candidate[] };

export interface Geocoder {
  search(name: string, language: string, options: FetchOptions): Promise<Fetched<readonly Candidate[]>>;
  /** Only for a source with few places: returns a text that lists them, such as `the sample has berlin`. */
  describeContent?(): Promise<string>;
}

/** Where places are searched by name. */
export interface PlaceSources {
  readonly saved: SavedPlaces;
  readonly geocoder: Geocoder;
}

const maxNameLength = 200;

/**
 * If a place has at least this many times the population of every other place with its name, it is chosen
 * without asking the user.
 */
const minPopulationRatio = 100;

/**
 * Finds the place that a text denotes: coordinates, a saved place, or a name, which may be followed by a
 * state or country after a comma.
 * @throws `WeatherError` of kind `place_not_found` or `invalid_argument`.
 */
export async function findPlace(
  text: string,
  sources: PlaceSources,
  options: FetchOptions,
): Promise<PlaceMatch> {
  const place = parseCoordinates(text);
  return place ? { place } : findByName(text, sources, options);
}

async function findByName(
  text: string,
  { saved, geocoder }: PlaceSources,
  options: FetchOptions,
): Promise<PlaceMatch> {
  const name = text.normalize('NFC').trim();
  if (name === '')
    throw invalidArgument(
      'place',
      'Empty place; expected coordinates such as 52.52,13.41, a saved place, or a name',
    );
  assertNotCoordinates(name);
  options.onDependency?.(saved.file);
  const savedPlace = saved.find(name);
  if (savedPlace) return { place: savedPlace };
  const found = await searchPlaces(name, 'en', geocoder, options);
  const { problem } = saved;
  if (found.length === 0) {
    const { similar, hint } = await hintsFor(name, geocoder, options);
    throw new WeatherError(
      'place_not_found',
      `No place found with the name ${quoted(name)}${hint}${problem === undefined ? '' : `. ${problem}`}`,
      { name, ...(similar.length > 0 && { similar }) },
    );
  }
  const place = unambiguousMatch(found);
  if (!place) return { candidates: found };
  return { place: problem === undefined ? place : { ...place, notes: [...(place.notes ?? []), problem] } };
}

/**
 * Returns the names of similar places, and the end of an error message that lists them or, if there are none,
 * all places of a source that can list them.
 */
export async function hintsFor(
  name: string,
  geocoder: Geocoder,
  options: FetchOptions,
): Promise<{ similar: readonly string[]; hint: string }> {
  const similar = await findSimilar(name, geocoder, options);
  const hint = similar.length === 0 ? await contentHint(geocoder) : `; did you mean ${similar.join('; ')}?`;
  return { similar, hint };
}

/** Returns the end of a message about an unknown name: all places if the source can list them. */
async function contentHint(geocoder: Geocoder): Promise<string> {
  return geocoder.describeContent ? `; ${await geocoder.describeContent()}` : '';
}

/** Suggests similar places: it searches for the name's beginning, as most typing errors are at the end. */
async function findSimilar(
  name: string,
  geocoder: Geocoder,
  options: FetchOptions,
): Promise<readonly string[]> {
  const beginning = beginningOf(name);
  if (beginning === undefined) return [];
  try {
    const { model } = await geocoder.search(beginning, 'en', options);
    return similarPlaces(name, model);
  } catch (error) {
    // Suggestions are optional: the caller reports the unknown name anyway.
    if (error instanceof WeatherError) return [];
    throw error;
  }
}

/** Returns places, best first. States or countries may follow the name: `Springfield, IL`. */
export async function searchPlaces(
  text: string,
  language: string,
  geocoder: Geocoder,
  options: FetchOptions,
): Promise<readonly Candidate[]> {
  const [name = '', ...qualifiers] = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (Array.from(name).length < 2) {
    throw invalidArgument('place', `Invalid name: ${quoted(name)}; expected at least 2 letters`);
  }
  if (Array.from(text).length > maxNameLength) {
    throw invalidArgument(
      'place',
      `Invalid name: ${Array.from(text).length} letters; expected at most ${maxNameLength}`,
    );
  }
  const { model: all } = await geocoder.search(name, language, options);
  const found = best(all, name);
  if (qualifiers.length === 0) return found;

  const [first, ...rest] = qualifiers;
  let matches = locatedIn(best(all, name, true), first!);
  if (matches.length === 0 && all.length > 0) {
    // The first search returned only the largest places of this name. A search with state finds others.
    const { model: more } = await geocoder.search(`${name}, ${first}`, language, options);
    matches = locatedIn(best(more, name, true), first!);
  }
  if (matches.length === 0) {
    throw new WeatherError(
      'place_not_found',
      found.length === 0
        ? `No place found with the name ${quoted(name)}${await contentHint(geocoder)}`
        : `No place with the name ${quoted(name)} found in ${quoted(first!)}. Places with this name elsewhere: ${found.slice(0, 5).map(placeText).join('; ')}`,
      { name: text, candidates: found.slice(0, 10) },
    );
  }
  return rest.reduce<readonly Candidate[]>((left, qualifier) => {
    const matching = locatedIn(left, qualifier);
    if (matching.length > 0) return matching;
    const note = `No place with this name found in ${quoted(qualifier)}, so ${quoted(qualifier)} was ignored`;
    return left.map((each) => ({ ...each, notes: [...(each.notes ?? []), note] }));
  }, matches);
}

/**
 * Returns the candidates with exactly this name, or all candidates if none has this name. With `anyName`,
 * always returns all, those with this name first. A city that is also a state is returned once, as the city.
 */
function best(all: readonly Candidate[], name: string, anyName = false): readonly Candidate[] {
  const wanted = foldName(name);
  const exact = all.filter((each) => foldName(each.name) === wanted);
  const others = exact.length > 0 && !anyName ? [] : all.filter((each) => !exact.includes(each));
  const list = [...exact, ...others];
  const unique: Candidate[] = [];
  for (const each of list) {
    const duplicate = unique.findIndex((other) => isSame(other, each));
    if (duplicate === -1) unique.push(each);
    else if (!isTown(unique[duplicate]!) && isTown(each)) unique[duplicate] = each;
  }
  return unique;
}

function isSame(a: Candidate, b: Candidate): boolean {
  return foldName(a.name) === foldName(b.name) && a.countryCode === b.countryCode && distanceKm(a, b) < 30;
}

function isTown({ feature }: Candidate): boolean {
  return feature?.startsWith('PPL') ?? false;
}

/** Returns the candidates in a state or country. `CA` is California, not Canada. */
function locatedIn(candidates: readonly Candidate[], qualifier: string): readonly Candidate[] {
  const wanted = foldName(qualifier).replace(/\.$/, '');
  const state = Object.hasOwn(usStates, qualifier.toUpperCase())
    ? usStates[qualifier.toUpperCase()]
    : undefined;
  const inState = candidates.filter(
    ({ admin1, countryCode }) => state !== undefined && countryCode === 'US' && admin1 === state,
  );
  if (inState.length > 0) return inState;
  const named = (exact: boolean) =>
    candidates.filter(({ admin1, country, countryCode }) =>
      [admin1, country, countryCode, countryNames[countryCode ?? '']]
        .flatMap((each) => (each === undefined ? [] : foldName(each)))
        .some((each) => each === wanted || (!exact && wanted.length >= 3 && each.startsWith(wanted))),
    );
  const exact = named(true);
  return exact.length > 0 ? exact : named(false);
}

const countryNames: { readonly [code: string]: string } = { US: 'USA', GB: 'UK' };

/** Returns a candidate if it is the only one, or if it is far more populous than all others. */
function unambiguousMatch(candidates: readonly Candidate[]): Place | undefined {
  const [first, ...others] = candidates;
  if (!first || others.length === 0) return first;
  // An unknown population counts as that of a village, because the geocoder lacks it mostly for small places.
  const nextPopulation = Math.max(...others.map(({ population }) => population ?? 1_000));
  if ((first.population ?? 0) < minPopulationRatio * nextPopulation) return undefined;
  const note = `${others.length} other place${others.length === 1 ? ' has' : 's have'} the same name; this place is by far the most populous`;
  return { ...first, notes: [...(first.notes ?? []), note] };
}
