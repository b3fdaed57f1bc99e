import { type Coordinates, coordinatesText, degreesText } from './coordinates.ts';

/** A place that weather can be asked for. */
export interface Place extends Coordinates {
  /** What people call it; missing where only coordinates were given. */
  readonly name?: string;
  readonly admin1?: string;
  readonly country?: string;
  readonly countryCode?: string;
  /** IANA time zone, where it is known before the weather is asked for. */
  readonly timezone?: string;
  /** The name it was saved under. */
  readonly saved?: string;
  /** The directory of a dataset that holds it. */
  readonly dataset?: string;
  /** What a reader should know of how it was found. */
  readonly notes?: readonly string[];
}

/** One of the places that a name may mean, best first. */
export interface Candidate extends Place {
  readonly name: string;
  /** GeoNames feature code: `PPLC` a capital, `PPL` a populated place, `ADM1` a state, `ISL` an island. */
  readonly feature?: string;
  readonly population?: number;
  readonly elevation?: number;
  readonly id?: number;
}

/** `Berlin, Germany (52.52° N 13.41° E)` */
export function placeText(place: Place): string {
  const name = placeName(place);
  return name === undefined ? degreesText(place) : `${name} (${degreesText(place)})`;
}

/** `Springfield, Illinois, United States`; undefined for bare coordinates. */
function placeName({ name, admin1, country }: Place): string | undefined {
  if (name === undefined) return undefined;
  return [name, admin1 === name ? undefined : admin1, country].filter(Boolean).join(', ');
}

/** Two spellings of the same name: case, accents and width do not count. */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/\s+/g, ' ')
    .trim();
}

/** What stands for a place in file names, keys and memos. */
export function placeKey(place: Place): string {
  return place.dataset ?? coordinatesText(place);
}
