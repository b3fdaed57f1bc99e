import { unifiedDiff } from '../diff/unified-diff.ts';
import { readForward } from '../read/read-bytes.ts';
import { decodeText } from '../text/text-encoding.ts';

/** An open file, and its path as the diff shows it. */
export interface ComparedFile {
  readonly fd: number;
  readonly path: string;
}

export interface TextDiffOptions {
  /** The maximum size of each file in bytes; if one of the files is larger, there is no diff. */
  readonly maxBytes: number;
  /** The number of characters after which the diff is cut; 0 makes no diff. Default: 32 Ki. */
  readonly maxDiff?: number | undefined;
}

/** Returns the unified diff of two files; undefined if one is not text or has more than `maxBytes`. */
export async function textDiff(
  one: ComparedFile,
  other: ComparedFile,
  { maxBytes, maxDiff }: TextDiffOptions,
): Promise<string | undefined> {
  if (maxDiff === 0) return undefined;
  const texts: string[] = [];
  for (const { fd } of [one, other]) {
    const bytes = await readForward(fd, maxBytes + 1);
    const decoded = bytes.length > maxBytes ? undefined : decodeText(bytes);
    if (!decoded || 'reason' in decoded) return undefined;
    texts.push(decoded.text);
  }
  return unifiedDiff(one.path, texts[0]!, texts[1]!, maxDiff, other.path);
}
