export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Places for sizes, which descend and are above 0: boxes whose areas are in proportion, and which are about
 * as high as wide. The algorithm is that of squarified treemaps, by Bruls, Huizing and van Wijk.
 */
export function treemapOf(sizes: readonly number[], box: Box): Box[] {
  const sum = sizes.reduce((all, size) => all + size, 0);
  const scale = (box.width * box.height) / (sum || 1);
  const boxes: Box[] = [];
  let rest = box;
  for (let from = 0; from < sizes.length;) {
    const side = Math.max(1e-9, Math.min(rest.width, rest.height));
    let to = from + 1;
    let area = sizes[from]! * scale;
    let worst = worstOf(area, area, area, side);
    for (; to < sizes.length; to++) {
      const more = area + sizes[to]! * scale;
      const next = worstOf(sizes[from]! * scale, sizes[to]! * scale, more, side);
      if (next > worst) break;
      [area, worst] = [more, next];
    }
    const row = sizes.slice(from, to).map((size) => size * scale);
    rest = place(row, area, rest, boxes);
    from = to;
  }
  return boxes;
}

/** The worst ratio of the sides in a row whose largest, smallest and whole area are these. */
function worstOf(largest: number, smallest: number, area: number, side: number): number {
  const square = side * side;
  return Math.max((square * largest) / (area * area), (area * area) / (square * smallest));
}

/** Places a row along the shorter side. Returns the box that remains. */
function place(row: readonly number[], area: number, box: Box, boxes: Box[]): Box {
  const { x, y, width, height } = box;
  const isColumn = width >= height;
  const depth = area / Math.max(1e-9, isColumn ? height : width);
  let at = isColumn ? y : x;
  for (const each of row) {
    const length = each / Math.max(1e-9, depth);
    boxes.push(
      isColumn ? { x, y: at, width: depth, height: length } : { x: at, y, width: length, height: depth },
    );
    at += length;
  }
  return isColumn
    ? { x: x + depth, y, width: Math.max(0, width - depth), height }
    : { x, y: y + depth, width, height: Math.max(0, height - depth) };
}
