import type { AllowedDirectories } from '../access/allowed-directories.ts';
import type { TimeSlice } from '../time-slice.ts';
import { withBothFiles, type Side } from './side.ts';
import { textDiff } from './text-diff.ts';

const maxTextBytes = 256 * 1024;

interface DiffsOptions {
  /** The number of characters after which the diffs are cut; 0 makes no diff. */
  readonly maxDiff: number;
  readonly slice: TimeSlice;
}

/** Returns the unified diffs of the text files at these paths, cut after about `maxDiff` characters. */
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
    // One of the files was deleted or replaced after the two were compared.
    return undefined;
  }
}
