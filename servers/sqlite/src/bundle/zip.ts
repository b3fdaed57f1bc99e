import { gzipSync } from 'node:zlib';

/** A file of an archive. `path` is its path in the archive, with `/` between the parts. */
export interface ZipEntry {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The greatest sizes in bytes and numbers of entries that ZIP without its 64-bit extension can have. */
const maxBytes = 0xffff_ffff;
const maxEntries = 0xffff;
/** The flag which says that the names of files are UTF-8. */
const flags = 0x0800;
/** ZIP 2.0, which has compression. */
const version = 20;
const madeOnUnix = 3 << 8;
const mode = 0o100_644;
/** The first day that ZIP knows, so that equal files make equal archives. */
const date = (1 << 5) | 1;

/** Makes a ZIP archive of files. Throws where it would exceed 4 GiB. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, bytes } of entries) {
    const name = Buffer.from(path);
    const { deflated, crc } = compressed(bytes);
    const isSmaller = deflated.length < bytes.length;
    const stored = isSmaller ? deflated : Buffer.from(bytes);
    const facts = factsOf(isSmaller ? 8 : 0, {
      crc,
      stored: stored.length,
      size: bytes.length,
    });
    const nameLength = numbers([name.length, 2], [0, 2]);
    directory.push(
      numbers([0x0201_4b50, 4], [madeOnUnix | version, 2]),
      facts,
      nameLength,
      numbers([0, 2], [0, 2], [0, 2], [mode * 0x1_0000, 4], [offset, 4]),
      name,
    );
    const local = [numbers([0x0403_4b50, 4]), facts, nameLength, name, stored];
    parts.push(...local);
    offset += local.reduce((sum, { length }) => sum + length, 0);
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  if (offset + size > maxBytes || entries.length > maxEntries)
    throw new Error('The bundle would exceed 4 GiB, which no ZIP archive of this kind may have');
  const counts = numbers([entries.length, 2], [entries.length, 2], [size, 4], [offset, 4], [0, 2]);
  return Buffer.concat([...parts, ...directory, numbers([0x0605_4b50, 4], [0, 2], [0, 2]), counts]);
}

/**
 * Deflates bytes, and computes their CRC-32. Both are in the output of gzip: a header of 10 bytes, the
 * deflated bytes, the CRC-32, and 4 bytes with the size. `crc32` of zlib would need Node 22.2.
 */
function compressed(bytes: Uint8Array): { readonly deflated: Buffer; readonly crc: number } {
  const packed = gzipSync(bytes);
  return { deflated: packed.subarray(10, -8), crc: packed.readUInt32LE(packed.length - 8) };
}

function factsOf(
  method: number,
  { crc, stored, size }: { readonly crc: number; readonly stored: number; readonly size: number },
): Buffer {
  const times = [
    [0, 2],
    [date, 2],
  ] as const;
  return numbers([version, 2], [flags, 2], [method, 2], ...times, [crc, 4], [stored, 4], [size, 4]);
}

/** Numbers, each with its number of bytes, in little endian. */
function numbers(...values: readonly (readonly [value: number, bytes: number])[]): Buffer {
  return Buffer.concat(
    values.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntLE(value, 0, bytes);
      return buffer;
    }),
  );
}
