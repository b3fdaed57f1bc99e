/** The lanes of a graph in the row of one commit, as numbers from the left. */
export interface LaneRow {
  readonly lane: number;
  /** Whether the line of the commit comes from above. */
  readonly hasChild: boolean;
  /** The lanes that pass by. */
  readonly through: readonly number[];
  /** The lanes from above that end at the commit. */
  readonly into: readonly number[];
  /** The lanes in which the parents follow. */
  readonly out: readonly number[];
}

/** Lanes further to the right are not shown. */
export const maxLanes = 14;

/** Gives each commit of a history a lane, children before their parents. */
export class Lanes {
  /** The hash for which a lane waits. */
  readonly #waiting: (string | undefined)[] = [];
  readonly #seen = new Set<string>();

  next({ hash, parents }: { readonly hash: string; readonly parents: readonly string[] }): LaneRow {
    this.#seen.add(hash);
    const own = [...this.#waiting.keys()].filter((at) => this.#waiting[at] === hash);
    const lane = own[0] ?? this.#free();
    for (const at of own) this.#waiting[at] = undefined;
    const through = [...this.#waiting.keys()].filter((at) => this.#waiting[at] !== undefined);
    // A parent that was shown before its child, because their clocks differ, is not drawn.
    const out = parents.filter((parent) => !this.#seen.has(parent)).map((parent) => this.#wait(parent, lane));
    while (this.#waiting.length > 0 && this.#waiting.at(-1) === undefined) this.#waiting.pop();
    return { lane, hasChild: own.length > 0, through, into: own.slice(1), out: [...new Set(out)] };
  }

  #wait(parent: string, lane: number): number {
    const known = this.#waiting.indexOf(parent);
    if (known >= 0) return known;
    const at = this.#waiting[lane] === undefined ? lane : this.#free();
    this.#waiting[at] = parent;
    return at;
  }

  #free(): number {
    const free = this.#waiting.findIndex((each) => each === undefined);
    return free >= 0 ? free : this.#waiting.length;
  }
}

/** The distance of two lanes, and the height of a row, in CSS pixels. */
const step = 13;
export const rowHeight = 28;
const middle = rowHeight / 2;

/** A line of the picture of a row; its lane gives its colour. */
export interface LanePath {
  readonly lane: number;
  readonly d: string;
}

/** The picture of a row: its width, its lines, and the place of its commit. */
export function pictureOf(row: LaneRow): { width: number; paths: LanePath[]; x: number } {
  const place = (lane: number) => Math.min(lane, maxLanes) * step + 9;
  const x = place(row.lane);
  const shown = (lanes: readonly number[]) => lanes.filter((lane) => lane < maxLanes);
  const paths = [
    ...shown(row.through).map((lane) => ({ lane, d: `M${place(lane)} 0V${rowHeight}` })),
    ...(row.hasChild ? [{ lane: row.lane, d: `M${x} 0V${middle}` }] : []),
    ...shown(row.into).map((lane) => ({
      lane,
      d: `M${place(lane)} 0C${place(lane)} 11 ${x} 4 ${x} ${middle}`,
    })),
    ...shown(row.out).map((lane) => {
      const end = place(lane);
      return { lane: Math.max(lane, row.lane), d: `M${x} ${middle}C${x} 24 ${end} 17 ${end} ${rowHeight}` };
    }),
  ];
  const last = Math.max(row.lane, ...row.through, ...row.into, ...row.out);
  return { width: place(last) + 9, paths, x };
}
