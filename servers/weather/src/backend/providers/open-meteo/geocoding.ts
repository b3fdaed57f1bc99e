import { coordinatesIn } from '../../places/coordinates.ts';
import { plainLine } from '../../errors.ts';
import { invalidReply, isJson, type Json, listIn, member, numberIn, textIn } from '../../json-fields.ts';
import type { Candidate } from '../../places/place.ts';

/** Parses a reply of the geocoding API; without `results` there are no candidates. */
export function readCandidates(document: unknown): Candidate[] {
  if (!isJson(document)) throw invalidReply('The reply is not an object');
  const results = member(document, 'results');
  if (results === undefined) return [];
  const list = listIn(document, 'results');
  if (!list) throw invalidReply('The results of the search are not a list');
  return list.slice(0, 100).flatMap((result) => candidateOf(result) ?? []);
}

function candidateOf(result: unknown): Candidate | undefined {
  if (!isJson(result)) return undefined;
  const at = coordinatesIn(result['latitude'], result['longitude']);
  const name = textOf(result, 'name');
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

function textOf(result: Json, name: string): string | undefined {
  const text = textIn(result, name);
  const line = text === undefined ? '' : plainLine(text).slice(0, 200);
  return line === '' ? undefined : line;
}

function named<Key extends string>(result: Json, name: string, key: Key): { [K in Key]?: string } {
  const text = textOf(result, name);
  return (text === undefined ? {} : { [key]: text }) as { [K in Key]?: string };
}

function numbered<Key extends string>(result: Json, name: Key): { [K in Key]?: number } {
  const value = numberIn(result, name);
  return (value === undefined ? {} : { [name]: value }) as { [K in Key]?: number };
}
