/** Compares texts with `wanted`: from 0 to 1, by the pairs of characters that they have in common. */
export function likenessTo(wanted: string): (text: string) => number {
  const pairs = pairsOf(wanted);
  return (text) => {
    const others = pairsOf(text);
    let common = 0;
    for (const [pair, times] of others) common += Math.min(times, pairs.get(pair) ?? 0);
    const size = countOf(pairs) + countOf(others);
    return size === 0 ? 0 : (2 * common) / size;
  };
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
