import { type Candidate, foldName, placeText } from './place.ts';

const maxSimilar = 3;
/** The part of the pairs of letters that two names must share, counted in both. */
const minSimilarity = 0.5;

/** The beginning of a name, by which places with a similar name are searched; undefined for a short name. */
export function beginningOf(name: string): string | undefined {
  const letters = Array.from(name.split(',')[0]!.trim());
  return letters.length < 5
    ? undefined
    : letters.slice(0, Math.max(3, Math.floor(letters.length / 2))).join('');
}

/** Up to three places whose names resemble another, closest first, as text. */
export function similarPlaces(name: string, candidates: readonly Candidate[]): readonly string[] {
  const wanted = name.split(',')[0]!;
  const found = candidates
    .map((each) => ({ text: placeText(each), similarity: similarity(wanted, each.name) }))
    .filter((each) => each.similarity >= minSimilarity)
    .toSorted((a, b) => b.similarity - a.similarity)
    .map(({ text }) => text);
  return [...new Set(found)].slice(0, maxSimilar);
}

/** The Dice coefficient of the pairs of letters of two names, with their ends: 1 for equal names. */
function similarity(a: string, b: string): number {
  const [first, second] = [pairsOf(a), pairsOf(b)];
  const shared = first.filter((pair) => second.includes(pair)).length;
  return (2 * shared) / (first.length + second.length);
}

function pairsOf(name: string): readonly string[] {
  const letters = Array.from(` ${foldName(name)} `);
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}
