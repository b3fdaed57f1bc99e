import { likenessTo } from '../likeness.ts';

const maxCandidates = 20_000;
const maxLineLength = 200;
const maxResults = 3;

export interface CloseLine {
  readonly number: number;
  readonly line: string;
  /** From 0 to 1. */
  readonly like: number;
}

/** The lines most similar to the first non-blank line of `wanted`, best first. */
export function closestLines(lines: readonly string[], wanted: string): CloseLine[] {
  const likeness = likenessTo(wanted.split(/\r\n?|\n/).find((line) => line.trim()) ?? '');
  const nearest: CloseLine[] = [];
  for (const [index, line] of lines.slice(0, maxCandidates).entries()) {
    const like = likeness(line);
    if (like <= (nearest[maxResults - 1]?.like ?? 0.4)) continue;
    nearest.push({ number: index + 1, line: line.slice(0, maxLineLength), like });
    nearest.sort((a, b) => b.like - a.like || a.number - b.number).splice(maxResults);
  }
  return nearest;
}
