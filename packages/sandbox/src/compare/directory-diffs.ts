import type { AllowedDirectories } from '../access/allowed-directories.ts';
import type { TimeSlice } from '../time-slice.ts';
import { withBothFiles, type Side } from './side.ts';
import { textDiff } from './text-diff.ts';

const maxTextBytes = 256 * 1024;

interface DiffsOptions {
  /** The number of characters of all diffs. */
  readonly maxDiff: number;
  readonly slice: TimeSlice;
}

/** The unified diffs of the text files at these relative paths, until there are `maxDiff` characters. */
export async function diffsInside(
  allowed: AllowedDirectories,
  sides: readonly [Side, Side],
  paths: readonly string[],
  { maxDiff, slice }: DiffsOptions,
): Promise<{ diff: string; isDiffCut: boolean }> {
  let diff = '';
  if (maxDiff === 0) return { diff, isDiffCut: false };
  for (const path of paths) {
    if (sides.some(({ entries }) => entries.get(path)?.kind !== 'file')) continue;
    if (diff.length >= maxDiff) return { diff, isDiffCut: true };
    diff += (await diffInside(allowed, sides, path, maxDiff - diff.length)) ?? '';
    if (slice.over) await slice.pause();
  }
  return { diff, isDiffCut: false };
}

async function diffInside(
  allowed: AllowedDirectories,
  sides: readonly [Side, Side],
  path: string,
  maxDiff: number,
): Promise<string | undefined> {
  const [label, otherLabel] = sides.map(({ start }) => allowed.answerPrefix(start.path) + path);
  try {
    return await withBothFiles(allowed, sides, path, (fd, otherFd) =>
      textDiff({ fd, path: label! }, { fd: otherFd, path: otherLabel! }, { maxBytes: maxTextBytes, maxDiff }),
    );
  } catch {
    // It was deleted or replaced since it was compared.
    return undefined;
  }
}
