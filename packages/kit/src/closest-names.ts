/** The similarity, from 0 to 1, that a name must have at least to be suggested. */
export const minSimilarity = 0.55;

/** Only this many characters of a text are compared. */
const maxLength = 200;
/**
 * Typing errors are counted only in texts up to this length. In a longer text, an error changes only few of
 * the pairs of adjacent characters, so comparing these pairs suffices.
 */
const maxEditedLength = 32;
const minContainedLength = 3;
const containedSimilarity = 0.8;

/** At most `count` of the names, the most similar first, each with at least `minSimilarity`. */
export function closestNames(name: string, names: Iterable<string>, count = 3): string[] {
  const similarity = similarityTo(name);
  return Array.from(new Set(names), (each) => ({ each, similar: similarity(each) }))
    .filter(({ similar }) => similar >= minSimilarity)
    .toSorted((a, b) => b.similar - a.similar)
    .slice(0, count)
    .map(({ each }) => each);
}

/**
 * Returns a function that gives the similarity of a text to `wanted`, from 0 to 1, where 1 means equal except
 * for case and accents. The similarity is the greatest of three measures: the share of common pairs of
 * characters (Sørensen–Dice), which detects omitted or exchanged words; in short texts, the share of
 * characters without typing errors (optimal string alignment); and a fixed value if the text contains
 * `wanted`.
 */
export function similarityTo(wanted: string): (text: string) => number {
  const target = folded(wanted);
  const pairs = pairsOf(target);
  return (text) => {
    const other = folded(text);
    if (target === '' || other === '') return 0;
    if (other === target) return 1;
    const contained = target.length >= minContainedLength && other.includes(target) ? containedSimilarity : 0;
    return Math.max(contained, pairs(other), editSimilarity(target, other));
  };
}

function folded(text: string): string {
  const lower = text.slice(0, maxLength).toLowerCase();
  return /^[\0-\x7f]*$/.test(lower) ? lower : lower.normalize('NFD').replace(/\p{M}/gu, '');
}

/**
 * Compares texts by pairs of adjacent characters (Sørensen–Dice). The first character also forms a pair with
 * the beginning of the text, and the last character with its end.
 */
function pairsOf(wanted: string): (text: string) => number {
  const indexes = new Map<number, number>();
  const counts: number[] = [];
  for (let at = 0; at <= wanted.length; at++) {
    const pair = pairAt(wanted, at);
    const index = indexes.get(pair) ?? counts.length;
    indexes.set(pair, index);
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return (text) => {
    const left = counts.slice();
    let common = 0;
    for (let at = 0; at <= text.length; at++) {
      const index = indexes.get(pairAt(text, at));
      if (index !== undefined && left[index]!-- > 0) common++;
    }
    return (2 * common) / (wanted.length + text.length + 2);
  };
}

/** The characters before and after a position, as one number. */
function pairAt(text: string, at: number): number {
  const before = at > 0 ? text.charCodeAt(at - 1) : 0;
  const after = at < text.length ? text.charCodeAt(at) : 0;
  return before * 0x1_0000 + after;
}

/**
 * The share of characters without typing errors; 0 if the lengths alone show that the share is below
 * `minSimilarity`, or if a text is too long.
 */
function editSimilarity(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  if (longer > maxEditedLength || Math.min(a.length, b.length) < minSimilarity * longer) return 0;
  return 1 - editDistance(a, b) / longer;
}

/** The number of edits between two texts: insert, delete or replace a character, exchange two neighbours. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const exchanged = isExchanged ? before[j - 2]! + 1 : Infinity;
      next.push(Math.min(replaced, exchanged, row[j]! + 1, next[j - 1]! + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}
