import { quoted } from '@mcp/kit';

export type Json = { readonly [name: string]: unknown };

/** An object of the document, and its place as a JSON Pointer in the form of a fragment (RFC 6901). */
export interface Place {
  readonly value: Json;
  readonly pointer: string;
}

/** The pointer of a member. */
export function inside(pointer: string, ...keys: readonly (string | number)[]): string {
  return keys.reduce<string>((at, key) => `${at}/${escaped(String(key))}`, pointer);
}

function escaped(key: string): string {
  return /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;
}

/** The keys of a pointer. */
export function keysOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** An error at a place of the document. */
export function mistake(pointer: string, text: string): Error {
  return new Error(`${quoted(pointer)} of the OpenAPI document: ${text}`);
}

/** A value of the document for a message, quoted and cut. */
export function shown(value: unknown): string {
  return quoted(typeof value === 'string' ? value : String(JSON.stringify(value)), 100);
}
