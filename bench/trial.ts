/** A measurement of several implementations. */
export interface Trial {
  readonly name: string;
  /** What is measured, and the meaning of the columns. */
  readonly about: string;
  readonly implementations: { readonly [name: string]: Program };
  readonly columns: readonly string[];
  readonly runs: number;
  /** Runs once before the first measurement. */
  prepare?(): Promise<void>;
  /** One measurement: a number per column. */
  measure(program: Program): Promise<readonly number[]>;
  /** Bounds on the medians. */
  readonly goals: readonly Goal[];
}

/** How to start an implementation. */
export interface Program {
  /** Arguments for node. */
  readonly args: readonly string[];
  readonly env?: { readonly [name: string]: string };
}

/** A bound on the ratio of two medians, or on one median; without a bound it is only printed. */
export interface Goal {
  readonly column: string;
  readonly of: string;
  /** The implementation to compare with; an absolute bound when missing. */
  readonly to?: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}
