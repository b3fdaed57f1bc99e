import { quoted } from '../display-name.ts';
import { sha256 } from '../sha256.ts';
import { changeFile, existingFile, expectHash, refuseChanged } from './change-file.ts';
import { replaceFile, type InPlace } from './replace-file.ts';
import type { WriteContext } from './write-context.ts';

export interface WriteOptions {
  /** Only create; throw when the path exists. Default: false. */
  ifAbsent?: boolean | undefined;
  /** The SHA-256 of the content to replace; throw `Conflict` when it is different. */
  expectedHash?: string | undefined;
}

export interface Written {
  /** The real path. */
  readonly path: string;
  readonly created: boolean;
  /** The number of bytes written. */
  readonly bytes: number;
  /** The SHA-256 of the whole file; missing after an append. */
  readonly hash?: string;
  /** The number of other hard links to the old file, which keep the old content. */
  readonly detachedHardLinks: number;
  /** Whether the file was overwritten, not atomically, and why. */
  readonly inPlace: InPlace;
}

/** Creates a file, or replaces its content. */
export function writeFile(
  context: WriteContext,
  requestedPath: string,
  content: string | Uint8Array,
  { ifAbsent, expectedHash }: WriteOptions = {},
): Promise<Written> {
  const bytes = bytesOf(content);
  return changeFile(context, requestedPath, async (target) => {
    const existing = existingFile(target, requestedPath);
    if (ifAbsent && existing) throw new Error(`Already exists: ${quoted(requestedPath)}`);
    let check: (() => void) | undefined;
    if (expectedHash !== undefined) {
      const { stats } = await expectHash(target, expectedHash, requestedPath);
      check = () => refuseChanged(target, stats, requestedPath);
    }
    const { inPlace } = await replaceFile(context, target, { bytes, existing, exclusive: ifAbsent, check });
    return {
      path: target.path,
      created: !existing,
      bytes: bytes.length,
      hash: await sha256(bytes),
      detachedHardLinks: existing && !inPlace ? existing.nlink - 1 : 0,
      inPlace,
    };
  });
}

function bytesOf(content: string | Uint8Array): Buffer {
  if (typeof content !== 'string') return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (!content.isWellFormed()) throw new Error('The content contains a lone surrogate (invalid Unicode)');
  return Buffer.from(content);
}
