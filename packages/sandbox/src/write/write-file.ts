import { quoted } from '@mcp/kit';
import { sha256 } from '../sha256.ts';
import type { KeptChange } from '../keep/kept-change.ts';
import { changeFile } from '../replace/file-change.ts';
import type { InPlace } from '../replace/replace-file.ts';
import type { WriteContext } from '../replace/write-context.ts';

export interface WriteOptions {
  /** Whether the file must be new: throws if the path exists. Default: false. */
  ifAbsent?: boolean | undefined;
  /** The SHA-256 that the content to replace must have; throws `Conflict` if it is different. */
  expectedHash?: string | undefined;
  /** Keeps the replaced content, so that it can be restored. */
  kept?: KeptChange | undefined;
}

export interface Written {
  /** The real path of the file. */
  readonly path: string;
  readonly created: boolean;
  /** The number of bytes written. */
  readonly bytes: number;
  /** The SHA-256 of the whole file; missing after an append to an existing file. */
  readonly hash?: string;
  /** The number of other hard links of the old file, which still have the old content. */
  readonly detachedHardLinks: number;
  /** The number of other hard links of a file that was changed itself; they have the new content, too. */
  readonly sharedHardLinks: number;
  /** The reason why the file was overwritten in place, not atomically; false if it was replaced. */
  readonly inPlace: InPlace;
}

/** Creates a file, or replaces its content. */
export function writeFile(
  context: WriteContext,
  requestedPath: string,
  content: string | Uint8Array,
  { ifAbsent, expectedHash, kept }: WriteOptions = {},
): Promise<Written> {
  const bytes = bytesOf(content);
  return changeFile(context, requestedPath, async (file) => {
    const existing = file.existing();
    if (ifAbsent && existing) throw new Error(`Already exists: ${quoted(requestedPath)}`);
    let check: (() => void) | undefined;
    if (expectedHash !== undefined) {
      const { stats } = await file.readExpected(expectedHash);
      check = () => file.refuseChanged(stats);
    }
    const inPlace = await file.replace({ bytes, existing, exclusive: ifAbsent, check, kept });
    return {
      path: file.path,
      created: !existing,
      bytes: bytes.length,
      hash: await sha256(bytes),
      detachedHardLinks: existing && !inPlace ? existing.nlink - 1 : 0,
      sharedHardLinks: existing && inPlace ? existing.nlink - 1 : 0,
      inPlace,
    };
  });
}

function bytesOf(content: string | Uint8Array): Buffer {
  if (typeof content !== 'string') return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (!content.isWellFormed()) throw new Error('The content contains a lone surrogate (invalid Unicode)');
  return Buffer.from(content);
}
