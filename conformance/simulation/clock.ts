/** The time of a world, in milliseconds since its beginning. */
export interface Clock {
  readonly now: number;
}

/** When the worlds begin, in milliseconds since 1970: later than now, so that a real Redis keeps the keys. */
export const epoch = Date.UTC(2100, 0, 1);
