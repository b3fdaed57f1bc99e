import { similarityTo } from '@mcp/kit';

const maxCandidates = 20_000;
const maxLineLength = 200;
const maxResults = 3;
/** Lines with this similarity or less are not shown; the scale is from 0 to 1. */
const minShown = 0.4;

export interface CloseLine {
  readonly number: number;
  readonly line: string;
  /** The similarity of the line, from 0 to 1. */
  readonly similar: number;
}

/** Returns the up to 3 lines that are most similar to the first non-blank line of `wanted`, best first. */
export function closestLines(lines: readonly string[], wanted: string): CloseLine[] {
  const similarity = similarityTo(
    wanted
      .trimStart()
      .split(/\r\n?|\n/, 1)[0]!
      .trimEnd(),
  );
  const nearest: CloseLine[] = [];
  for (const [index, line] of lines.slice(0, maxCandidates).entries()) {
    const similar = similarity(line.trim());
    if (similar <= (nearest[maxResults - 1]?.similar ?? minShown)) continue;
    nearest.push({ number: index + 1, line: line.slice(0, maxLineLength), similar });
    nearest.sort((a, b) => b.similar - a.similar || a.number - b.number).splice(maxResults);
  }
  return nearest;
}
