import { Buffer } from 'node:buffer';
export function base64url(data: string | Uint8Array): string {
  return (typeof data === 'string' ? Buffer.from(data) : Buffer.from(data)).toString('base64url');
}

export async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

/** 256 random bits, as a string of 43 characters that a URL may contain. */
export function randomToken(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}
