import { minSimilarity, similarityTo } from '@mcp/kit';
import { type Candidate, foldName, placeText } from './place.ts';

const maxSimilar = 3;

/** The beginning of a name, for a search for similar names; undefined if the name is too short. */
export function beginningOf(name: string): string | undefined {
  const letters = Array.from(name.split(',')[0]!.trim());
  return letters.length < 5
    ? undefined
    : letters.slice(0, Math.max(3, Math.floor(letters.length / 2))).join('');
}

/** Returns, as texts, up to three places whose names are similar to `name`, the most similar first. */
export function similarPlaces(name: string, candidates: readonly Candidate[]): readonly string[] {
  const similarity = similarityTo(foldName(name.split(',')[0]!));
  const found = candidates
    .map((each) => ({ text: placeText(each), similarity: similarity(foldName(each.name)) }))
    .filter((each) => each.similarity >= minSimilarity)
    .toSorted((a, b) => b.similarity - a.similarity)
    .map(({ text }) => text);
  return [...new Set(found)].slice(0, maxSimilar);
}
