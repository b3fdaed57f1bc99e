/** When a page reads again, in milliseconds. */
export interface ReadTimes {
  /** Two reads begin at least so long apart, whatever the user does. */
  readonly gapMs: number;
  /** While the page is visible, it is read again after this time. */
  readonly everyMs: number;
}

export interface ReadState {
  /** When the last read began; undefined before the first. All times are in milliseconds. */
  readonly lastRead: number | undefined;
  readonly isVisible: boolean;
  /** Whether the user wants a read now. */
  readonly isWanted: boolean;
}

/** How long the next read has to wait; undefined while nobody sees the page, or wants the first read. */
export function readDelay(
  { lastRead, isVisible, isWanted }: ReadState,
  { gapMs, everyMs }: ReadTimes,
  now: number,
): number | undefined {
  if (!isVisible) return undefined;
  if (lastRead === undefined) return isWanted ? 0 : undefined;
  return Math.max(0, lastRead + (isWanted ? gapMs : everyMs) - now);
}
