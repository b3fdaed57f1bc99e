import { type Coordinates, coordinatesText, degreesText } from './coordinates.ts';

/** A place with weather. */
export interface Place extends Coordinates {
  /** Its name; missing when only coordinates were given. */
  readonly name?: string;
  readonly admin1?: string;
  readonly country?: string;
  readonly countryCode?: string;
  /** IANA time zone, when the geocoder has returned one. */
  readonly timezone?: string;
  /** The name that it was saved under. */
  readonly saved?: string;
  /** Its directory in a dataset. */
  readonly dataset?: string;
  /** Notes on how it was found. */
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

/** Returns a name without case, accents and width, for comparison. */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Identifies a place in keys: its dataset directory or its coordinates. */
export function placeKey(place: Place): string {
  return place.dataset ?? coordinatesText(place);
}
