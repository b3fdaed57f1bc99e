import { Refused } from '../errors.ts';

export interface ResultLimits {
  /** Maximum number of bytes of all rows; one value may have a quarter of that. */
  readonly maxBytes: number;
  /** Whether the caller may ask for a longer answer. */
  readonly bounded?: boolean | undefined;
  /** Whether text was read as bytes, so that cells may be `RawText`. */
  readonly exact: boolean;
}

/** The driver decodes bytes that are not valid in the database's encoding as this character. */
export const replacement = '\uFFFD';

export function tooLongRow({ maxBytes, bounded }: Pick<ResultLimits, 'maxBytes' | 'bounded'>): Refused {
  return new Refused(
    `One row exceeds ${maxBytes} bytes`,
    'Select fewer columns, or parts of values with substr()',
    bounded === true ? 'long-row' : undefined,
  );
}
