const maxCandidates = 20_000;
const maxLineLength = 200;
const maxResults = 3;

/** The lines most similar to the first non-blank line of `wanted`, best first. */
export function closestLines(lines: readonly string[], wanted: string): { number: number; line: string }[] {
  const likeness = likenessTo(wanted.split(/\r\n?|\n/).find((line) => line.trim()) ?? '');
  const nearest: { number: number; line: string; like: number }[] = [];
  for (const [index, line] of lines.slice(0, maxCandidates).entries()) {
    const like = likeness(line);
    if (like <= (nearest[maxResults - 1]?.like ?? 0.4)) continue;
    nearest.push({ number: index + 1, line: line.slice(0, maxLineLength), like });
    nearest.sort((a, b) => b.like - a.like || a.number - b.number).splice(maxResults);
  }
  return nearest.map(({ number, line }) => ({ number, line }));
}

/** Similarity of two lines from 0 to 1: the Sørensen–Dice coefficient of their character pairs. */
function likenessTo(wanted: string): (line: string) => number {
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

/** Calls back with each pair of adjacent characters, ignoring white space, as one number. Returns their count. */
function eachPair(line: string, found: (pair: number) => void): number {
  const end = Math.min(line.length, maxLineLength);
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
