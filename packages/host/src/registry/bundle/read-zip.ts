import { crc32, inflateRawSync } from 'node:zlib';

/** A file of an archive. */
export interface ZipFile {
  readonly bytes: Uint8Array;
  /** Whether its owner may execute it. */
  readonly isExecutable: boolean;
}

const maxFiles = 20_000;
const maxBytes = 512 * 1024 * 1024;

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const fileSignature = 0x04034b50;
/** The length of the record at the end, without its comment, which has at most 65,535 bytes. */
const endLength = 22;
const stored = 0;
const deflated = 8;

/**
 * The files of a ZIP archive, by their paths, which are not checked. Throws an `Error` for an archive that is
 * damaged, encrypted or in several parts, that has links, or whose files are larger than 512 MiB in all.
 */
export function readZip(archive: Buffer): ReadonlyMap<string, ZipFile> {
  const end = endOf(archive);
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  if (count > maxFiles || at === 0xffffffff) throw new Error(`it has more than ${maxFiles} files`);
  const files = new Map<string, ZipFile>();
  let total = 0;
  for (let index = 0; index < count; index++) {
    if (readable(archive, at, 46) !== entrySignature) throw damaged();
    const nameLength = archive.readUInt16LE(at + 28);
    const path = archive.toString('utf8', at + 46, at + 46 + nameLength);
    total += archive.readUInt32LE(at + 24);
    if (total > maxBytes) throw new Error(`its files have more than ${maxBytes} bytes`);
    if (files.has(path)) throw new Error(`it has the file ${JSON.stringify(path)} twice`);
    if (!path.endsWith('/')) files.set(path, fileAt(archive, at, path));
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}

function endOf(archive: Buffer): number {
  const first = Math.max(0, archive.length - endLength - 0xffff);
  for (let at = archive.length - endLength; at >= first; at--)
    // A comment at the end may contain the signature, too.
    if (
      archive.readUInt32LE(at) === endSignature &&
      at + endLength + archive.readUInt16LE(at + 20) === archive.length
    )
      return at;
  throw new Error('it is no ZIP archive');
}

/** The file of an entry of the directory. */
function fileAt(archive: Buffer, entry: number, path: string): ZipFile {
  const mode = archive.readUInt32LE(entry + 38) >>> 16;
  const kind = mode & 0o170000;
  if (kind !== 0 && kind !== 0o100000) throw new Error(`${JSON.stringify(path)} is no plain file`);
  if ((archive.readUInt16LE(entry + 8) & 1) !== 0) throw new Error('it is encrypted');
  const method = archive.readUInt16LE(entry + 10);
  const [packed, size] = [archive.readUInt32LE(entry + 20), archive.readUInt32LE(entry + 24)];
  const local = archive.readUInt32LE(entry + 42);
  if (readable(archive, local, 30) !== fileSignature) throw damaged();
  const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  if (from + packed > archive.length) throw damaged();
  const bytes = unpacked(archive.subarray(from, from + packed), method, size);
  if (bytes.length !== size || crc32(bytes) !== archive.readUInt32LE(entry + 16)) throw damaged();
  return { bytes, isExecutable: (mode & 0o100) !== 0 };
}

function unpacked(bytes: Buffer, method: number, size: number): Uint8Array {
  if (method === stored) return bytes;
  if (method !== deflated) throw new Error(`it uses the compression ${method}, which mcp does not know`);
  try {
    // The length that the archive states bounds what is inflated.
    return size === 0 ? bytes.subarray(0, 0) : inflateRawSync(bytes, { maxOutputLength: size });
  } catch (error) {
    throw damaged(error);
  }
}

/** The signature at a place; 0 where the archive has no `length` bytes there. */
function readable(archive: Buffer, at: number, length: number): number {
  return at + length > archive.length ? 0 : archive.readUInt32LE(at);
}

function damaged(cause?: unknown): Error {
  return new Error('the archive is damaged', { cause });
}
