/** Names beyond this are compared by their beginnings alone. */
const maxLength = 128;

/**
 * Up to `count` names that read most like `name`, the closest first; none that differs in
 * half of its letters.
 */
export function closestNames(name: string, names: Iterable<string>, count = 3): string[] {
  const wanted = name.slice(0, maxLength).toLowerCase();
  return Array.from(new Set(names), (each) => {
    const candidate = each.slice(0, maxLength).toLowerCase();
    const contained = candidate.includes(wanted) || wanted.includes(candidate);
    return { each, distance: contained && candidate !== '' ? 0.5 : distance(wanted, candidate) };
  })
    .filter(({ each, distance: apart }) => apart <= Math.max(1, Math.max(name.length, each.length) / 2 - 1))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ each }) => each);
}

/**
 * The number of letters to insert, delete, replace, or exchange with the next one (optimal string alignment).
 */
function distance(a: string, b: string): number {
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
