import { Buffer } from 'buffer/index.js';

// `Buffer` of Node in a browser. The library does not know the encoding `base64url`.

const { toString } = Buffer.prototype;
const from = Buffer.from.bind(Buffer) as (...args: readonly unknown[]) => Buffer;

Buffer.prototype.toString = function base64url(encoding, ...range) {
  if ((encoding as string) !== 'base64url') return toString.call(this, encoding, ...range);
  return toString.call(this, 'base64', ...range).replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_');
};

Buffer.from = ((value: unknown, encoding?: unknown, length?: unknown) =>
  encoding === 'base64url' && typeof value === 'string'
    ? from(value.replaceAll('-', '+').replaceAll('_', '/'), 'base64')
    : from(value, encoding, length)) as typeof Buffer.from;

/** Whether bytes are UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

export { Buffer };
