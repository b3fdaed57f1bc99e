const maxLength = 200;

/** Similarity of two texts from 0 to 1: the Sørensen–Dice coefficient of their character pairs. */
export function likenessTo(wanted: string): (line: string) => number {
  const indexes = new Map<number, number>();
  const counts: number[] = [];
  const size = eachPair(wanted, (pair) => {
    const index = indexes.get(pair) ?? counts.length;
    indexes.set(pair, index);
    counts[index] = (counts[index] ?? 0) + 1;
  });
  return (line) => {
    const left = counts.slice();
    let common = 0;
    const others = eachPair(line, (pair) => {
      const index = indexes.get(pair);
      if (index !== undefined && left[index]!-- > 0) common++;
    });
    return common && (2 * common) / (size + others);
  };
}

/**
 * Calls back with each pair of adjacent characters, ignoring white space, as one number. Returns their count.
 */
function eachPair(line: string, found: (pair: number) => void): number {
  const end = Math.min(line.length, maxLength);
  let count = 0;
  let last = 0;
  for (let at = 0; at < end; at++) {
    const code = line.charCodeAt(at);
    if (code <= 0x20 || code === 0xa0) continue;
    if (last) found((last << 16) | code);
    if (last) count++;
    last = code;
  }
  if (count > 0 || !last) return count;
  found(last);
  return 1;
}
