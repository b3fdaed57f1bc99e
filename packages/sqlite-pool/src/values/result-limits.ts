import { Refused } from '../errors.ts';

export interface ResultLimits {
  /** Maximum number of bytes of all rows. A single value may have a quarter of that. */
  readonly maxBytes: number;
  /** Whether the caller set the limit of the answer, and so can ask for a longer answer. */
  readonly bounded?: boolean | undefined;
  /** Whether text was read as bytes, so that cells may be `RawText`. */
  readonly exact: boolean;
  /** Maximum number of bytes of a single value; never more than a quarter of `maxBytes`. */
  readonly maxCellBytes?: number | undefined;
  /** Whether whole reals are `{"$real":"1.0"}`. */
  readonly tagsReals?: boolean | undefined;
}

/** The character by which the driver replaces bytes that are invalid in the database's encoding. */
export const replacement = '\uFFFD';

/** Throws if the names of the columns alone are already too long for an answer. */
export function assertShortHead(bytes: number, { maxBytes, bounded }: ResultLimits): void {
  if (bytes <= maxBytes) return;
  throw new Refused(
    `The names of the columns exceed ${maxBytes} bytes`,
    'Select fewer columns, or give them shorter names with AS',
    bounded === true ? 'long-row' : undefined,
  );
}

export function tooLongRow({ maxBytes, bounded }: Pick<ResultLimits, 'maxBytes' | 'bounded'>): Refused {
  return new Refused(
    `One row exceeds ${maxBytes} bytes`,
    'Select fewer columns, or parts of values with substr()',
    bounded === true ? 'long-row' : undefined,
  );
}
