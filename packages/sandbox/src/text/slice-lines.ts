export const newline = 0x0a;

/** The first `count` lines, without the line break after the last of them. */
export function firstLines(bytes: Buffer, count: number): Buffer {
  let end = -1;
  for (let line = 0; line < count; line++) {
    end = bytes.indexOf(newline, end + 1);
    if (end < 0) return withoutLineBreak(bytes);
  }
  return withoutLineBreak(bytes.subarray(0, end + 1));
}

/** The last `count` lines. A line break at the end of the bytes begins no further line, and is left out. */
export function lastLines(bytes: Buffer, count: number): Buffer {
  let start = bytes.at(-1) === newline ? bytes.length - 1 : bytes.length;
  for (let line = 0; line < count; line++) {
    start = start > 0 ? bytes.lastIndexOf(newline, start - 1) : -1;
    if (start < 0) return withoutLineBreak(bytes);
  }
  return withoutLineBreak(bytes.subarray(start + 1));
}

/** Returns a function that takes chunks, and is true when they contain `count` line breaks together. */
export function lineCounter(count: number): (chunk: Buffer) => boolean {
  let left = count;
  return (chunk) => {
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) {
      if (--left <= 0) return true;
    }
    return false;
  };
}

/** The number, from 1, of the line that contains the byte at `offset`. */
export function lineAt(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(newline); at >= 0 && at < offset; at = bytes.indexOf(newline, at + 1)) line++;
  return line;
}

/** At most `limit` bytes from the start, without cutting a UTF-8 character. */
export function startOf(bytes: Buffer, limit: number): Buffer {
  if (bytes.length <= limit) return bytes;
  let end = limit;
  while (end > limit - 3 && end > 0 && isContinuation(bytes[end]!)) end--;
  return bytes.subarray(0, isContinuation(bytes[end]!) ? limit : end);
}

/** At most `limit` bytes from the end, without cutting a UTF-8 character. */
export function endOf(bytes: Buffer, limit: number): Buffer {
  if (bytes.length <= limit) return bytes;
  let start = bytes.length - limit;
  while (start < bytes.length - limit + 3 && isContinuation(bytes[start] ?? 0)) start++;
  return bytes.subarray(start);
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function withoutLineBreak(bytes: Buffer): Buffer {
  if (bytes.at(-1) !== newline) return bytes;
  return bytes.subarray(0, bytes.at(-2) === 0x0d ? -2 : -1);
}
