import { countText } from './count-text.ts';

interface PageCounts {
  /** How many are on the pages before. */
  readonly before: number;
  readonly shown: number;
  readonly one: string;
  readonly nextCursor: string | undefined;
  /** Whether older ones were never fetched. */
  readonly shallow?: boolean;
}

/**
 * The last line of a page: how many there are, or how to read more. Git would have to walk the whole history
 * to count earlier, so that only the last page has the total.
 */
export function endOfPage({ before, shown, one, nextCursor, shallow }: PageCounts): string {
  if (nextCursor !== undefined) return `… more with cursor "${nextCursor}"`;
  return (
    countText(before + shown, one) +
    (before === 0 ? '' : ' in all') +
    (shallow ? '; the history is shallow' : '')
  );
}
