/** A value as the driver returns it. Integers are BigInt. */
export type Cell = null | bigint | number | string | Uint8Array;

/** Text whose bytes are invalid in the database's encoding. */
export class RawText {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get hex(): string {
    return Buffer.from(this.bytes).toString('hex');
  }
}

/** Matches characters that JSON escapes, and lone surrogates. */
const escaped = /["\\\p{Cc}\p{Cs}]/u;

/**
 * Encodes a value as JSON without loss: integers beyond 2^53 as `{"$int":"…"}`, BLOBs
 * `{"$blob":base64,"bytes":n}`, unusual reals `{"$real":"Infinity"}`, text that is not UTF-8 `{"$text":hex}`.
 * Values longer than `maxBytes` are cut: `{"$cut":"…","bytes":n,"type":"text"}`.
 */
export function cellJson(cell: Cell | RawText, maxBytes: number): string {
  if (typeof cell === 'string') {
    if (cell.length * 3 <= maxBytes) return escaped.test(cell) ? JSON.stringify(cell) : `"${cell}"`;
    return longText(cell, maxBytes);
  }
  if (typeof cell === 'bigint') {
    const number = Number(cell);
    return Number.isSafeInteger(number) ? String(number) : `{"$int":"${cell}"}`;
  }
  if (cell === null) return 'null';
  if (typeof cell === 'number') return realJson(cell);
  if (cell instanceof Uint8Array) return blobJson(cell, maxBytes);
  return cell.bytes.length * 2 > maxBytes ? cutBytes(cell.bytes, 'text') : `{"$text":"${cell.hex}"}`;
}

/**
 * Returns the JSON of a real. A whole number gets `.0`, which distinguishes the real 1.0 from the integer 1;
 * one beyond 2^53, Infinity or NaN becomes `{"$real":"…"}`.
 */
export function realJson(real: number): string {
  if (!Number.isFinite(real)) return `{"$real":"${real}"}`;
  if (!Number.isInteger(real)) return String(real);
  if (!Number.isSafeInteger(real)) return `{"$real":"${real}"}`;
  return `${Object.is(real, -0) ? '-0' : real}.0`;
}

/** Like `realJson`, but a whole number is `{"$real":"1.0"}`, so that no reader takes it for an integer. */
export function taggedReal(real: number): string {
  const json = realJson(real);
  return json.endsWith('.0') ? `{"$real":"${json}"}` : json;
}

function blobJson(bytes: Uint8Array, maxBytes: number): string {
  if (bytes.length * 1.4 > maxBytes) {
    return cutBytes(bytes, 'blob');
  }
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
  return `{"$blob":"${base64}","bytes":${bytes.length}}`;
}

function cutBytes(bytes: Uint8Array, type: string): string {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 64));
  return `{"$cut":"${start.toString('hex')}","bytes":${bytes.length},"type":"${type}"}`;
}

function longText(text: string, maxBytes: number): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return JSON.stringify(text);
  const start = text
    .slice(0, 1_000)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
  return `{"$cut":${JSON.stringify(start)},"bytes":${bytes},"type":"text"}`;
}
