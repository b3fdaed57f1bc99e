const maxNames = 3;
/** Characters that are compared. */
const maxLength = 100;

/**
 * Up to three of the names with a small edit distance to `wanted`, closest first; letter case does not count.
 */
export function closestNames(wanted: string, names: readonly string[]): readonly string[] {
  const target = wanted.toLowerCase().slice(0, maxLength);
  const maxDistance = Math.max(1, Math.floor(target.length / 3));
  return [...new Set(names)]
    .map((name) => ({ name, distance: editDistance(target, name.toLowerCase().slice(0, maxLength)) }))
    .filter(
      ({ name, distance }) =>
        distance <= maxDistance || (target.length > 2 && name.toLowerCase().includes(target)),
    )
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, maxNames)
    .map(({ name }) => name);
}

/**
 * Damerau-Levenshtein distance (optimal string alignment): insertions, deletions,
 * substitutions, transpositions.
 */
function editDistance(a: string, b: string): number {
  let previous: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let best = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, previous[j - 2]! + 1);
      }
      next.push(best);
    }
    previous = row;
    row = next;
  }
  return row[b.length]!;
}
