import { constants, fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import type { EntryLocation } from '../access/entry-location.ts';
import { decodeText, encodeText } from '../text/text-encoding.ts';
import { sha256 } from '../sha256.ts';
import type { KeptChange } from '../keep/kept-change.ts';
import { changeFile } from '../replace/file-change.ts';
import { withOpenEntry } from '../replace/with-open-entry.ts';
import type { WriteContext } from '../replace/write-context.ts';
import type { Written } from './write-file.ts';

const { O_RDWR, O_APPEND } = constants;

export interface AppendOptions {
  /** The SHA-256 that the content must have before the append; throws `Conflict` if it is different. */
  expectedHash?: string | undefined;
  /** Keeps a copy of the file before the change, so that it can be restored. */
  kept?: KeptChange | undefined;
}

/**
 * Appends text to a file, or creates the file. Appends in place, so that programs that follow the file see
 * the text, and so that text that other programs append at the same time is not lost.
 */
export function appendFile(
  context: WriteContext,
  requestedPath: string,
  content: string,
  { expectedHash, kept }: AppendOptions = {},
): Promise<Written> {
  if (!content.isWellFormed()) throw new Error('The content contains a lone surrogate (invalid Unicode)');
  return changeFile(context, requestedPath, async (file) => {
    const existing = file.existing();
    if (expectedHash !== undefined) {
      const { stats } = await file.readExpected(expectedHash);
      file.refuseChanged(stats);
    }
    const bytes = Buffer.from(content);
    if (!existing) {
      const inPlace = await file.replace({ bytes, exclusive: true });
      return {
        path: file.path,
        created: true,
        bytes: bytes.length,
        hash: await sha256(bytes),
        detachedHardLinks: 0,
        sharedHardLinks: 0,
        inPlace,
      };
    }
    await kept?.keepFiles([{ file, stats: existing, copies: true }]);
    const written = await addTo(file, content).catch(async (error: unknown) => {
      await kept?.giveUpAfter(error, file, existing);
      throw error;
    });
    return {
      path: file.path,
      created: false,
      bytes: written,
      detachedHardLinks: 0,
      sharedHardLinks: existing.nlink - 1,
      inPlace: false,
    };
  });
}

function addTo(target: EntryLocation, content: string): Promise<number> {
  return withOpenEntry(target, { flags: O_RDWR | O_APPEND }, (fd) => {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw Object.assign(new Error('EINVAL'), { code: 'EINVAL' });
    const bytes = encodedLike(fd, content);
    writeAll(fd, bytes, stats.size);
    return bytes.length;
  });
}

/** Appends all bytes; if this fails, removes them, unless another program has appended data after them. */
function writeAll(fd: number, bytes: Buffer, size: number): void {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written);
  } catch (error) {
    if (written > 0 && fstatSync(fd).size === size + written) ftruncateSync(fd, size);
    throw error;
  }
}

/**
 * Encodes the content in the encoding that the file's byte order mark indicates; without a mark, in UTF-8.
 */
function encodedLike(fd: number, content: string): Buffer {
  const start = Buffer.alloc(2);
  const decoded = decodeText(start.subarray(0, readSync(fd, start, 0, 2, 0)));
  const encoding = 'encoding' in decoded ? decoded.encoding : 'utf-8';
  return encodeText({ text: content, encoding, bom: false });
}
