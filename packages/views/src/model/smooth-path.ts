/** A place in a picture, in CSS pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * The path of SVG through these points: a monotone cubic curve (Fritsch and Carlson), which never leaves the
 * range of two neighbours.
 */
export function smoothPath(points: readonly Point[]): string {
  const [first] = points;
  if (!first) return '';
  const slopes = points.slice(1).map(({ x, y }, index) => (y - points[index]!.y) / (x - points[index]!.x));
  const tangents = points.map((_, index) => {
    const [before = slopes[index], after = slopes[index - 1]] = [slopes[index - 1], slopes[index]];
    if (before === undefined || after === undefined || before * after <= 0) return 0;
    // The harmonic mean keeps the curve monotone.
    return (2 * before * after) / (before + after);
  });
  const curves = points.slice(1).map(({ x, y }, index) => {
    const from = points[index]!;
    const third = (x - from.x) / 3;
    const controls = [
      from.x + third,
      from.y + third * tangents[index]!,
      x - third,
      y - third * tangents[index + 1]!,
    ];
    return `C${[...controls, x, y].map(short).join(' ')}`;
  });
  return `M${short(first.x)} ${short(first.y)}${curves.join('')}`;
}

/** The parts of a line without a gap, of at least two points each. */
export function withoutGaps(points: readonly { readonly x: number; readonly y: number | null }[]): Point[][] {
  const parts: Point[][] = [[]];
  for (const { x, y } of points) {
    if (y === null) parts.push([]);
    else parts.at(-1)!.push({ x, y });
  }
  return parts.filter((part) => part.length > 1);
}

function short(value: number): number {
  return Math.round(value * 10) / 10;
}
