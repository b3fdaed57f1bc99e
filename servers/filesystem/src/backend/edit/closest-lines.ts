const candidates = 20_000;
const longest = 200;
const most = 3;

/** The lines that are most like the first line somebody looked for, best first. */
export function nearestLines(lines: readonly string[], wanted: string): { number: number; line: string }[] {
  const likeness = likenessTo(wanted.split(/\r\n?|\n/).find((line) => line.trim()) ?? '');
  const nearest: { number: number; line: string; like: number }[] = [];
  for (const [index, line] of lines.slice(0, candidates).entries()) {
    const like = likeness(line);
    if (like <= (nearest[most - 1]?.like ?? 0.4)) continue;
    nearest.push({ number: index + 1, line: line.slice(0, longest), like });
    nearest.sort((a, b) => b.like - a.like || a.number - b.number).splice(most);
  }
  return nearest.map(({ number, line }) => ({ number, line }));
}

/** How much of its pairs of neighbouring characters a line has in common with another: from 0 to 1 (Sørensen and Dice). */
function likenessTo(wanted: string): (line: string) => number {
  const places = new Map<number, number>();
  const counts: number[] = [];
  const size = eachPair(wanted, (pair) => {
    const place = places.get(pair) ?? counts.length;
    places.set(pair, place);
    counts[place] = (counts[place] ?? 0) + 1;
  });
  return (line) => {
    const left = counts.slice();
    let common = 0;
    const others = eachPair(line, (pair) => {
      const place = places.get(pair);
      if (place !== undefined && left[place]!-- > 0) common++;
    });
    return common && (2 * common) / (size + others);
  };
}

/** Calls back with each pair, white space aside, as one number; says how many there are. */
function eachPair(line: string, found: (pair: number) => void): number {
  const end = Math.min(line.length, longest);
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
