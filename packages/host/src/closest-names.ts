/** Names beyond this are compared by their beginnings alone. */
const maxLength = 128;

/** Up to `count` names that read most like `name`, the closest first; none that differs in half of its letters. */
export function closestNames(name: string, names: Iterable<string>, count = 3): string[] {
  const wanted = name.slice(0, maxLength).toLowerCase();
  return Array.from(names, (each) => {
    const candidate = each.slice(0, maxLength).toLowerCase();
    const contained = candidate.includes(wanted) || wanted.includes(candidate);
    return { each, distance: contained && candidate !== '' ? 0.5 : distance(wanted, candidate) };
  })
    .filter(({ each, distance: apart }) => apart <= Math.max(1, Math.max(name.length, each.length) / 2 - 1))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ each }) => each);
}

/** The number of letters to insert, delete or replace (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
