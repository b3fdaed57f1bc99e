const candidates = 20_000;
const longest = 200;

/** The lines that are most like the first line somebody looked for, best first. */
export function nearestLines(lines: readonly string[], wanted: string): { number: number; line: string }[] {
  const first = wanted.split(/\r\n?|\n/).find((line) => line.trim()) ?? '';
  const pairs = pairsOf(first);
  return lines
    .slice(0, candidates)
    .map((line, index) => ({
      number: index + 1,
      line: line.slice(0, longest),
      likeness: likeness(pairs, pairsOf(line)),
    }))
    .filter((candidate) => candidate.likeness > 0.4)
    .sort((a, b) => b.likeness - a.likeness || a.number - b.number)
    .slice(0, 3)
    .map(({ number, line }) => ({ number, line }));
}

/** The pairs of neighbouring characters, white space aside. */
function pairsOf(line: string): Set<string> {
  const text = line.slice(0, longest).replace(/\s+/g, '');
  const pairs = new Set<string>(text.length === 1 ? [text] : []);
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}

/** From 0, nothing in common, to 1 (Sørensen and Dice). */
function likeness(a: Set<string>, b: Set<string>): number {
  let common = 0;
  for (const pair of a) if (b.has(pair)) common++;
  return common ? (2 * common) / (a.size + b.size) : 0;
}
