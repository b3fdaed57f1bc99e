/** How measurements grow with the work. */
export interface Growth {
  readonly name: string;
  /** What is measured, and the meaning of the columns. */
  readonly about: string;
  /** What is counted: `files` for example. */
  readonly unit: string;
  /** From small to large. */
  readonly sizes: readonly number[];
  /** Sizes that take minutes to prepare, measured with `--large`. */
  readonly large?: readonly number[];
  /** The names of the measurements, each with its unit at the end: `find ms`. */
  readonly columns: readonly string[];
  /** One measurement: a number per column, `NaN` where there is none. */
  measure(size: number): Promise<readonly number[]>;
  /** Why a column may grow faster than its input. */
  readonly reasons?: { readonly [column: string]: string };
  /** Bounds on the column at the largest size that is measured. */
  readonly atMost?: { readonly [column: string]: number };
}

/** The measurements of one growth, in the order of its sizes. */
export interface Measured {
  readonly size: number;
  readonly values: readonly number[];
}

/** Room for noise: a value may grow by so much more than its input. */
const noise = 1.5;
/** Milliseconds and megabytes below which a value is noise itself. */
const negligible = 5;

/** The columns that grow faster than their input without a reason, each with the step. */
export function tooFast({ columns, reasons = {} }: Growth, rows: readonly Measured[]): readonly string[] {
  return columns.flatMap((column, at) =>
    rows.slice(1).flatMap(({ size, values }, index) => {
      const before = rows[index]!;
      const [from, to] = [Math.max(before.values[at]!, negligible), values[at]!];
      const isTooFast = to / from > (size / before.size) * noise;
      return isTooFast && reasons[column] === undefined
        ? [`${column} grows ${(to / from).toFixed(1)} times from ${before.size} to ${size}`]
        : [];
    }),
  );
}
