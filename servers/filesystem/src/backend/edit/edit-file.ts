import type { Boundary } from '../access/allowed-directories.ts';
import { decodeText, encodeText } from '../text/text-encoding.ts';
import { quoted } from '../display-name.ts';
import { applyEdits, type AppliedEdit, type Edit } from './apply-edits.ts';
import { NotFound } from '../errors.ts';
import { sha256 } from '../sha256.ts';
import type { Queue } from '../keyed-queue.ts';
import { readExisting } from '../read/read-whole-file.ts';
import { replaceFile } from '../write/atomic-replace.ts';
import { unifiedDiff } from './unified-diff.ts';
import { changed, changeFile, existingFile, refuseChanged } from '../write/write-file.ts';

export interface EditOptions {
  /** Only say what would change. */
  dryRun?: boolean | undefined;
  /** SHA-256 of the content the edits are meant for: fail when it is another by now. */
  expectedHash?: string | undefined;
}

export interface Edited {
  /** The real path. */
  readonly path: string;
  /** One for each edit. */
  readonly applied: readonly AppliedEdit[];
  /** Empty when nothing changed. */
  readonly diff: string;
  /** Whether the file is another now. */
  readonly written: boolean;
  /** SHA-256 of the content with the edits. */
  readonly hash: string;
  /** Other names of the file, hard links, which keep the old content. */
  readonly severedLinks: number;
}

/** Edits a text file: all edits or none, and every byte that is not edited stays. */
export function editFile(
  boundary: Boundary,
  queue: Queue,
  asked: string,
  edits: readonly Edit[],
  { dryRun = false, expectedHash }: EditOptions = {},
): Promise<Edited> {
  return changeFile(boundary, queue, asked, async (place) => {
    const existing = existingFile(place, asked);
    if (!existing) throw new NotFound(`No such file: ${quoted(asked)}`);
    const { bytes, stats } = await readExisting(place, asked);
    if (expectedHash !== undefined && (await sha256(bytes)) !== expectedHash.toLowerCase())
      throw changed(asked);

    const before = decodeText(bytes);
    if ('reason' in before) throw new Error(`${before.reason}: ${quoted(asked)}`);
    const { text, applied } = edited(before.text, edits, asked);
    const after = encodeText({ ...before, text });
    const written = !dryRun && text !== before.text;
    if (written) {
      await replaceFile(place, { bytes: after, existing, check: () => refuseChanged(place, stats, asked) });
    }
    return {
      path: place.path,
      applied,
      diff: unifiedDiff(asked, before.text, text),
      written,
      hash: await sha256(after),
      severedLinks: written ? existing.nlink - 1 : 0,
    };
  });
}

function edited(text: string, edits: readonly Edit[], asked: string) {
  try {
    return applyEdits(text, edits);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Nothing was changed in ${quoted(asked)}. ${reason}`, { cause: error });
  }
}
