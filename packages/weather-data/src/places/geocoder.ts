import type { FetchOptions, Fetched } from '../cache/upstream-document.ts';
import type { Candidate } from './place.ts';

/** Finds places by name. */
export interface Geocoder {
  search(name: string, language: string, options: FetchOptions): Promise<Fetched<readonly Candidate[]>>;
  /**
   * Describes the places of a source that has few, such as `the sample has berlin`;
   * absent if it has most places.
   */
  describeContent?(): Promise<string>;
}
