import type { SchemaTable } from './schema.ts';

/** In CSS pixels. */
export const box = { width: 196, head: 36, row: 22, end: 8 } as const;
const gaps = { across: 48, down: 20 } as const;
/** Further columns of a table are counted only. */
export const maxRows = 14;

export interface Placed {
  readonly table: SchemaTable;
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

export interface Diagram {
  readonly boxes: readonly Placed[];
  /** A path for each foreign key, from its column to the table. */
  readonly edges: readonly { readonly path: string; readonly from: string; readonly to: string }[];
  readonly width: number;
  readonly height: number;
}

/**
 * Places tables in layers: a table stands to the right of those that it references. Tables without foreign
 * keys fill the layers that have room, up to `width` pixels.
 */
export function diagramOf(tables: readonly SchemaTable[], width: number): Diagram {
  const byName = new Map(tables.map((table) => [table.name.toLowerCase(), table]));
  const parentsOf = (table: SchemaTable) =>
    table.keys
      .flatMap(({ table: name }) => byName.get(name.toLowerCase()) ?? [])
      .filter((each) => each !== table);
  const related = new Set(
    tables.flatMap((table) => (parentsOf(table).length ? [table, ...parentsOf(table)] : [])),
  );
  const layers = layersOf(
    tables.filter((table) => related.has(table)),
    parentsOf,
  );
  const room = Math.max(1, Math.floor((width + gaps.across) / (box.width + gaps.across)));
  while (layers.length < room && related.size < tables.length) layers.push([]);

  const tops = layers.map(() => 0);
  const boxes: Placed[] = [];
  const place = (table: SchemaTable, layer: number) => {
    const height = heightOf(table);
    boxes.push({ table, x: layer * (box.width + gaps.across), y: tops[layer]!, height });
    tops[layer]! += height + gaps.down;
  };
  for (const [layer, members] of layers.entries())
    for (const table of ordered(members, parentsOf, boxes)) place(table, layer);
  for (const table of tables) if (!related.has(table)) place(table, tops.indexOf(Math.min(...tops)));

  const found = new Map(boxes.map((each) => [each.table, each]));
  const edges = boxes.flatMap((from) =>
    from.table.keys.flatMap(({ column, table, to }) => {
      const target = found.get(byName.get(table.toLowerCase())!);
      if (!target || target === from) return [];
      const names = { from: from.table.name, to: target.table.name };
      return [{ path: pathOf(from, rowOf(from, column), target, rowOf(target, to)), ...names }];
    }),
  );
  return {
    boxes,
    edges,
    width: Math.max(0, layers.length * (box.width + gaps.across) - gaps.across),
    height: Math.max(0, ...tops) - gaps.down,
  };
}

/** Each table after those that it references; a cycle is cut where it is first met. */
function layersOf(
  tables: readonly SchemaTable[],
  parentsOf: (table: SchemaTable) => readonly SchemaTable[],
): SchemaTable[][] {
  const ranks = new Map<SchemaTable, number>();
  const rank = (table: SchemaTable): number => {
    const known = ranks.get(table);
    if (known !== undefined) return known;
    ranks.set(table, 0);
    const above = parentsOf(table).map(rank);
    const found = above.length > 0 ? Math.max(...above) + 1 : 0;
    ranks.set(table, found);
    return found;
  };
  const layers: SchemaTable[][] = [];
  for (const table of tables) (layers[rank(table)] ??= []).push(table);
  return Array.from(layers, (layer) => layer ?? []);
}

/** In the order of the tables that they reference, so that fewer lines cross. */
function ordered(
  members: readonly SchemaTable[],
  parentsOf: (table: SchemaTable) => readonly SchemaTable[],
  boxes: readonly Placed[],
): readonly SchemaTable[] {
  const middle = (table: SchemaTable) => {
    const tops = parentsOf(table).map((parent) => boxes.find((each) => each.table === parent)?.y ?? 0);
    return tops.length === 0 ? 0 : tops.reduce((sum, top) => sum + top, 0) / tops.length;
  };
  return members.toSorted((a, b) => middle(a) - middle(b));
}

function heightOf({ columns, moreColumns }: SchemaTable): number {
  const rows = Math.min(columns.length, maxRows) + (columns.length > maxRows || moreColumns > 0 ? 1 : 0);
  return box.head + rows * box.row + box.end;
}

/** The vertical middle of the row of a column; that of the head where the column is not shown. */
function rowOf({ table, y }: Placed, column: string): number {
  const index = table.columns.findIndex(({ name, isKey }) => (column === '' ? isKey : name === column));
  return index < 0 || index >= maxRows ? y + box.head / 2 : y + box.head + (index + 0.5) * box.row;
}

function pathOf(from: Placed, y: number, to: Placed, end: number): string {
  const [start, target] = from.x >= to.x ? [from.x, to.x + box.width] : [from.x + box.width, to.x];
  if (from.x === to.x) {
    const out = from.x + box.width;
    return `M${out} ${y}C${out + 40} ${y} ${out + 40} ${end} ${out} ${end}`;
  }
  const bend = Math.sign(target - start) * Math.max(24, Math.abs(target - start) / 2);
  return `M${start} ${y}C${start + bend} ${y} ${target - bend} ${end} ${target} ${end}`;
}
