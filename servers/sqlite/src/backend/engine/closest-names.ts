/** Up to three of the names that differ from `wanted` by a few letters, nearest first. */
export function nearest(wanted: string, names: readonly string[]): readonly string[] {
  const target = wanted.toLowerCase().slice(0, 100);
  const allowed = Math.max(1, Math.floor(target.length / 3));
  return [...new Set(names)]
    .map((name) => ({ name, far: distance(target, name.toLowerCase().slice(0, 100)) }))
    .filter(({ name, far }) => far <= allowed || (target.length > 2 && name.toLowerCase().includes(target)))
    .toSorted((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** How many letters have to be put in, taken out, changed or swapped with their neighbour. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, before[j - 2]! + 1);
      }
      next.push(best);
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}
