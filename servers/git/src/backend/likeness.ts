const oneTypo = 0.6;

/**
 * Compares texts with `wanted`: from 0 to 1, by the pairs of characters that they have in common. Short names
 * with one typing error can have no pair in common.
 */
export function likenessTo(wanted: string): (text: string) => number {
  const pairs = pairsOf(wanted);
  return (text) => {
    const others = pairsOf(text);
    let common = 0;
    for (const [pair, times] of others) common += Math.min(times, pairs.get(pair) ?? 0);
    const size = countOf(pairs) + countOf(others);
    const like = size === 0 ? 0 : (2 * common) / size;
    return like < oneTypo && hasOneTypo(wanted, text) ? oneTypo : like;
  };
}

/** Whether one character was left out, added, replaced, or exchanged with the next; of three or more. */
function hasOneTypo(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  const longer = Math.max(one.length, other.length);
  if (longer < 3 || longer - shorter > 1) return false;
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  if (left.length === 2 && right.length === 2) return left[0] === right[1] && left[1] === right[0];
  return left.length <= 1 && right.length <= 1;
}

const maxLength = 200;

/**
 * How often each pair of adjacent characters occurs, in lower case; a text of one character is its only pair.
 */
function pairsOf(text: string): ReadonlyMap<string, number> {
  const shown = text.slice(0, maxLength).toLowerCase();
  const pairs = new Map<string, number>();
  for (let at = 0; at < Math.max(shown.length - 1, 1); at++) {
    const pair = shown.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

function countOf(pairs: ReadonlyMap<string, number>): number {
  let count = 0;
  for (const times of pairs.values()) count += times;
  return count;
}
