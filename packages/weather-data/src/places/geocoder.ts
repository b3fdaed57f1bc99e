import type { FetchOptions, Fetched } from '../cache/upstream-document.ts';
import type { Candidate } from './place.ts';

/** Finds places by name. */
export interface Geocoder {
  search(name: string, language: string, options: FetchOptions): Promise<Fetched<readonly Candidate[]>>;
  /** Returns what a source with few places has, such as `the sample has berlin`; absent where it has most. */
  describeContent?(): Promise<string>;
}
