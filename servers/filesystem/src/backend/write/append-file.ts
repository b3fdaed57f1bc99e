import {
  closeSync,
  constants,
  fstatSync,
  fsync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Boundary, Place } from '../access/allowed-directories.ts';
import { decodeText, encodeText, type Encoding } from '../text/text-encoding.ts';
import { sha256 } from '../sha256.ts';
import type { Queue } from '../keyed-queue.ts';
import { readExisting } from '../read/read-whole-file.ts';
import { replaceFile } from './atomic-replace.ts';
import { changed, changeFile, existingFile, refuseChanged, type Written } from './write-file.ts';

const fsyncAsync = promisify(fsync);
const { O_RDWR, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Adds text at the end of a file, or creates it. The file stays the same one, so that who follows it sees the
 * text come and what others add at the same time survives.
 */
export function appendFile(
  boundary: Boundary,
  queue: Queue,
  asked: string,
  content: string,
  expectedHash?: string,
): Promise<Written> {
  if (!content.isWellFormed())
    throw new Error('The content has half a character in it, which no file can hold');
  return changeFile(boundary, queue, asked, async (place) => {
    const existing = existingFile(place, asked);
    if (expectedHash !== undefined) {
      const { bytes, stats } = await readExisting(place, asked);
      if ((await sha256(bytes)) !== expectedHash.toLowerCase()) throw changed(asked);
      refuseChanged(place, stats, asked);
    }
    const bytes = Buffer.from(content);
    if (!existing) {
      await replaceFile(place, { bytes, exclusive: true });
      return {
        path: place.path,
        created: true,
        bytes: bytes.length,
        hash: await sha256(bytes),
        severedLinks: 0,
      };
    }
    const written = await addTo(place, content);
    return { path: place.path, created: false, bytes: written, severedLinks: 0 };
  });
}

async function addTo(place: Place, content: string): Promise<number> {
  const fd = openSync(join(place.parent.base, place.name), O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw Object.assign(new Error('EINVAL'), { code: 'EINVAL' });
    const bytes = encodedLike(fd, content);
    writeAll(fd, bytes, stats.size);
    await fsyncAsync(fd);
    return bytes.length;
  } finally {
    closeSync(fd);
  }
}

/** All or nothing: what has been added when the disk is full is taken away, unless others came after it. */
function writeAll(fd: number, bytes: Buffer, size: number): void {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written);
  } catch (error) {
    if (written > 0 && fstatSync(fd).size === size + written) ftruncateSync(fd, size);
    throw error;
  }
}

/** In the encoding whose mark is at the beginning of the file. */
function encodedLike(fd: number, content: string): Buffer {
  const start = Buffer.alloc(2);
  const encoding = readStart(fd, start);
  return encodeText({ text: content, encoding, bom: false });
}

function readStart(fd: number, start: Buffer): Encoding {
  if (readSync(fd, start, 0, 2, 0) < 2) return 'utf-8';
  const decoded = decodeText(start);
  return 'encoding' in decoded ? decoded.encoding : 'utf-8';
}
