import { Buffer } from 'buffer/index.js';

// `Buffer` of Node in a browser. The library does not know the encoding `base64url`.

type ToString = (this: Uint8Array, encoding?: string, ...range: readonly number[]) => string;
type From = (this: unknown, value: unknown, ...more: readonly unknown[]) => Buffer;

const toString: ToString = Reflect.get(Buffer.prototype, 'toString');
const from: From = Reflect.get(Buffer, 'from') as From;

const toBase64Url: ToString = function (encoding, ...range) {
  if (encoding !== 'base64url') return toString.call(this, encoding, ...range);
  return toString
    .call(this, 'base64', ...range)
    .replace(/=+$/, '')
    .replaceAll('+', '-')
    .replaceAll('/', '_');
};
const fromBase64Url: From = function (value, ...more) {
  if (more[0] !== 'base64url' || typeof value !== 'string') return from.call(Buffer, value, ...more);
  return from.call(Buffer, value.replaceAll('-', '+').replaceAll('_', '/'), 'base64');
};
Object.assign(Buffer.prototype, { toString: toBase64Url });
Object.assign(Buffer, { from: fromBase64Url });

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
