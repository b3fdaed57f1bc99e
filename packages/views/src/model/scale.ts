/** A position for each value: `first` of the domain at `from`, `last` at `to`. */
export interface Scale {
  (value: number): number;
  readonly first: number;
  readonly last: number;
}

/** Returns the scale that maps `first` to `from` and `last` to `to`. */
export function scaleOf([first, last]: readonly [number, number], from: number, to: number): Scale {
  const span = last - first || 1;
  return Object.assign((value: number) => from + ((value - first) / span) * (to - from), { first, last });
}

/** The least and the greatest known value; undefined without any. */
export function extentOf(values: readonly (number | null)[]): readonly [number, number] | undefined {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? [Math.min(...known), Math.max(...known)] : undefined;
}

/**
 * Round numbers, 1, 2 or 5 times a power of ten apart: about `count` of them, the first at or below `low` and
 * the last at or above `high`.
 */
export function roundTicks([low, high]: readonly [number, number], count: number): readonly number[] {
  const raw = Math.max(high - low, 1e-9) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= raw * 0.999)!;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  // Multiplied, not added, so that no error accumulates.
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
}
