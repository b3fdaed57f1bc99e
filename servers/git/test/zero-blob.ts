import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { constants, deflateRawSync } from 'node:zlib';

const chunkSize = 1024 * 1024;
const adlerModulus = 65_521;

/**
 * Writes a loose object whose content is `size` zeros, and returns its hash. Git itself takes 5 seconds for 1
 * GB; here one compressed megabyte is repeated. `size` is a multiple of 1 MiB.
 */
export function writeZeroBlob(gitDir: string, size: number): string {
  const header = Buffer.from(`blob ${size}\0`);
  const zeros = Buffer.alloc(chunkSize);
  const chunks = Array<Buffer>(size / chunkSize);
  const hash = createHash('sha1').update(header);
  for (const _ of chunks) hash.update(zeros);
  const name = hash.digest('hex');

  // The format of zlib (RFC 1950): a header, deflate blocks that do not refer to each other, a last block,
  // and Adler-32.
  const block = (content: Buffer) => deflateRawSync(content, { finishFlush: constants.Z_FULL_FLUSH });
  const stream = [
    Buffer.from([0x78, 0x01]),
    block(header),
    ...chunks.fill(block(zeros)),
    Buffer.from([3, 0]),
  ];
  const object = join(gitDir, 'objects', name.slice(0, 2), name.slice(2));
  mkdirSync(dirname(object), { recursive: true });
  writeFileSync(object, Buffer.concat([...stream, adler32(header, size)]));
  return name;
}

/** Adler-32 of `header` and of `zeros` zero bytes after it. */
function adler32(header: Buffer, zeros: number): Buffer {
  let sum = 1;
  let sumOfSums = 0;
  for (const byte of header) {
    sum = (sum + byte) % adlerModulus;
    sumOfSums = (sumOfSums + sum) % adlerModulus;
  }
  sumOfSums = (sumOfSums + zeros * sum) % adlerModulus;
  const result = Buffer.alloc(4);
  result.writeUInt16BE(sumOfSums, 0);
  result.writeUInt16BE(sum, 2);
  return result;
}
