import type { Ask, Read } from '../cache/upstream-document.ts';
import type { Maybe } from '../maybe-promise.ts';
import type { Candidate } from './place.ts';

/** Finds places by name. */
export interface Geocoder {
  search(name: string, language: string, ask: Ask): Maybe<Read<readonly Candidate[]>>;
}
