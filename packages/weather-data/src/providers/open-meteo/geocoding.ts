import { isObject } from '@mcp/kit';
import { coordinatesIn } from '../../places/coordinates.ts';
import { invalidReply, type Json, lineIn, listIn, member, numberIn } from '../../json-fields.ts';
import type { Candidate } from '../../places/place.ts';

/** Parses a reply of the geocoding API. A reply without `results` has no candidates. */
export function readCandidates(document: unknown): Candidate[] {
  if (!isObject(document)) throw invalidReply('The document of Open-Meteo is not an object');
  const results = member(document, 'results');
  if (results === undefined) return [];
  const list = listIn(document, 'results');
  if (!list) throw invalidReply('The places of Open-Meteo, "results", are not a list');
  return list.slice(0, 100).flatMap((result) => candidateOf(result) ?? []);
}

function candidateOf(result: unknown): Candidate | undefined {
  if (!isObject(result)) return undefined;
  const at = coordinatesIn(result['latitude'], result['longitude']);
  const name = lineIn(result, 'name');
  if (!at || name === undefined) return undefined;
  return {
    ...at,
    name,
    ...named(result, 'admin1', 'admin1'),
    ...named(result, 'country', 'country'),
    ...named(result, 'country_code', 'countryCode'),
    ...named(result, 'timezone', 'timezone'),
    ...named(result, 'feature_code', 'feature'),
    ...numbered(result, 'population'),
    ...numbered(result, 'elevation'),
    ...numbered(result, 'id'),
  };
}

function named<Key extends string>(result: Json, name: string, key: Key): { [K in Key]?: string } {
  const text = lineIn(result, name);
  return (text === undefined ? {} : { [key]: text }) as { [K in Key]?: string };
}

function numbered<Key extends string>(result: Json, name: Key): { [K in Key]?: number } {
  const value = numberIn(result, name);
  return (value === undefined ? {} : { [name]: value }) as { [K in Key]?: number };
}
