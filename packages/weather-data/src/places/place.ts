import { type Coordinates, coordinatesText, degreesText } from './coordinates.ts';

export interface Place extends Coordinates {
  /** The name of the place; missing if only coordinates were given. */
  readonly name?: string;
  readonly admin1?: string;
  readonly country?: string;
  readonly countryCode?: string;
  /** The IANA time zone, if the geocoder returned one. */
  readonly timezone?: string;
  /** The name under which the user has saved the place. */
  readonly saved?: string;
  /** The directory of the place, if it is from a dataset: from files, and not from a geocoder. */
  readonly dataset?: string;
  /** Notes on how the place was found. */
  readonly notes?: readonly string[];
}

/** A place that a name may denote. */
export interface Candidate extends Place {
  readonly name: string;
  /** GeoNames feature code: `PPLC` a capital, `PPL` a populated place, `ADM1` a state, `ISL` an island. */
  readonly feature?: string;
  readonly population?: number;
  readonly elevation?: number;
  readonly id?: number;
}

/** Returns a place as text: `Berlin, Germany (52.52° N 13.41° E)`. */
export function placeText(place: Place): string {
  const name = placeName(place);
  return name === undefined ? degreesText(place) : `${name} (${degreesText(place)})`;
}

/** The full name, such as `Springfield, Illinois, United States`; undefined if the place has no name. */
function placeName({ name, admin1, country }: Place): string | undefined {
  if (name === undefined) return undefined;
  return [name, admin1 === name ? undefined : admin1, country].filter(Boolean).join(', ');
}

/** Returns a name in a form for comparison: differences of case, accents and character width are removed. */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns a text that identifies a place: its directory in a dataset, or its coordinates. */
export function placeKey(place: Place): string {
  return place.dataset ?? coordinatesText(place);
}
