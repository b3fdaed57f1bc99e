import { distanceKm, parseCoordinates, refuseNearCoordinates } from './coordinates.ts';
import type { Ask } from '../cache/upstream-document.ts';
import { Failure, quoted } from '../errors.ts';
import type { Maybe } from '../maybe-promise.ts';
import type { Geocoder } from './geocoder.ts';
import { type Candidate, foldName, type Place, placeText } from './place.ts';
import type { SavedPlaces } from './saved-places.ts';
import { usStates } from './us-states.ts';

/** The one place that a text means, or those that it may mean, best first. */
export type Found = { readonly place: Place } | { readonly candidates: readonly Candidate[] };

export interface Atlas {
  readonly saved: SavedPlaces;
  readonly geocoder: Geocoder;
}

const mostLetters = 200;

/** How much larger a place must be than all others of its name to be meant without asking. */
const farLarger = 100;

/** Finds the place that a text means: coordinates, a saved place, or a name, with what it lies in behind commas. */
export function findPlace(text: string, atlas: Atlas, ask: Ask): Maybe<Found> {
  const coordinates = parseCoordinates(text);
  return coordinates ? { place: coordinates } : findByName(text, atlas, ask);
}

async function findByName(text: string, { saved, geocoder }: Atlas, ask: Ask): Promise<Found> {
  const name = text.normalize('NFC').trim();
  if (name === '')
    throw new Failure(
      'invalid_argument',
      'Name a place: coordinates such as 52.52,13.41, a saved place, or a name',
      { argument: 'place' },
    );
  refuseNearCoordinates(name);
  ask.used?.(saved.file);
  const own = saved.find(name);
  if (own) return { place: own };
  const found = await searchPlaces(name, 'en', geocoder, ask);
  const { problem } = saved;
  if (found.length === 0) {
    throw new Failure(
      'place_not_found',
      `No place is called ${quoted(name)}${problem === undefined ? '' : `. ${problem}`}`,
      { name },
    );
  }
  const place = theOneMeant(found);
  if (!place) return { candidates: found };
  return { place: problem === undefined ? place : { ...place, notes: [...(place.notes ?? []), problem] } };
}

/** The places with a name, best first; a qualifier behind a comma is a country, a state, or an abbreviation of one. */
export async function searchPlaces(
  text: string,
  language: string,
  geocoder: Geocoder,
  ask: Ask,
): Promise<readonly Candidate[]> {
  const [name = '', ...qualifiers] = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (Array.from(name).length < 2) {
    throw new Failure(
      'invalid_argument',
      `A name to search for has at least 2 letters, and not ${quoted(name)}`,
      { argument: 'place' },
    );
  }
  if (Array.from(text).length > mostLetters) {
    throw new Failure(
      'invalid_argument',
      `A name to search for has at most ${mostLetters} letters, and not ${Array.from(text).length}`,
      { argument: 'place' },
    );
  }
  const { model: all } = await geocoder.search(name, language, ask);
  const found = best(all, name);
  if (qualifiers.length === 0) return found;

  const [first, ...rest] = qualifiers;
  let within = inside(best(all, name, true), first!);
  if (within.length === 0 && all.length > 0) {
    // Small places of a common name are not among the first that are found by the name alone.
    const { model: more } = await geocoder.search(`${name}, ${first}`, language, ask);
    within = inside(best(more, name, true), first!);
  }
  if (within.length === 0) {
    throw new Failure(
      'place_not_found',
      found.length === 0
        ? `No place is called ${quoted(name)}`
        : `No ${quoted(name)} lies in ${quoted(first!)}. There ${found.length === 1 ? 'is' : 'are'} ${found.slice(0, 5).map(placeText).join('; ')}`,
      { name: text, candidates: found.slice(0, 10) },
    );
  }
  return rest.reduce<readonly Candidate[]>((left, qualifier) => {
    const matching = inside(left, qualifier);
    if (matching.length > 0) return matching;
    const note = `Nothing of that name is known to lie in ${quoted(qualifier)}; that was left out`;
    return left.map((each) => ({ ...each, notes: [...(each.notes ?? []), note] }));
  }, within);
}

/** Places with exactly this name, where there are any; each once, though it is listed as a city and as a state. */
function best(all: readonly Candidate[], name: string, everyName = false): readonly Candidate[] {
  const wanted = foldName(name);
  const exact = all.filter((each) => foldName(each.name) === wanted);
  const list =
    exact.length > 0 && !everyName
      ? exact
      : exact.length > 0
        ? [...exact, ...all.filter((each) => !exact.includes(each))]
        : all;
  const once: Candidate[] = [];
  for (const each of list) {
    const twin = once.findIndex((other) => isSame(other, each));
    if (twin === -1) once.push(each);
    else if (!isTown(once[twin]!) && isTown(each)) once[twin] = each;
  }
  return once;
}

function isSame(a: Candidate, b: Candidate): boolean {
  return foldName(a.name) === foldName(b.name) && a.countryCode === b.countryCode && distanceKm(a, b) < 30;
}

function isTown({ feature }: Candidate): boolean {
  return feature?.startsWith('PPL') ?? false;
}

/** Those that lie in what a qualifier names. A state's abbreviation goes before a country's: `CA` is California. */
function inside(candidates: readonly Candidate[], qualifier: string): readonly Candidate[] {
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

/** What people write for countries whose official names are longer. */
const countryNames: { readonly [code: string]: string } = { US: 'USA', GB: 'UK' };

/** The only place of its name, or the one beside which the others are villages. */
function theOneMeant(candidates: readonly Candidate[]): Place | undefined {
  const [first, ...others] = candidates;
  if (!first || others.length === 0) return first;
  // Places without a population are villages, or nobody counted.
  const next = Math.max(...others.map(({ population }) => population ?? 1_000));
  if ((first.population ?? 0) < farLarger * next) return undefined;
  const note = `${others.length} other place${others.length === 1 ? ' has' : 's have'} the same name; this is by far the largest`;
  return { ...first, notes: [...(first.notes ?? []), note] };
}
