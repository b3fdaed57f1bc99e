import { Buffer } from 'node:buffer';
import type { webcrypto } from 'node:crypto';
import { base64url } from './encoding.ts';

export type SigningAlgorithm = keyof typeof algorithms;

/** A key that signs JSON Web Tokens. */
export interface SigningKey {
  /** A private key: PKCS #8 in PEM, a JSON Web Key, or a key of Web Crypto. */
  readonly key: string | webcrypto.JsonWebKey | webcrypto.CryptoKey;
  readonly algorithm: SigningAlgorithm;
  /** The `kid` of the tokens' headers, by which the authorization server finds the public key. */
  readonly id?: string;
}

const algorithms = {
  ES256: { key: { name: 'ECDSA', namedCurve: 'P-256' }, signature: { name: 'ECDSA', hash: 'SHA-256' } },
  ES384: { key: { name: 'ECDSA', namedCurve: 'P-384' }, signature: { name: 'ECDSA', hash: 'SHA-384' } },
  RS256: {
    key: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    signature: { name: 'RSASSA-PKCS1-v1_5' },
  },
  PS256: { key: { name: 'RSA-PSS', hash: 'SHA-256' }, signature: { name: 'RSA-PSS', saltLength: 32 } },
} as const;

/** Signs claims as a JSON Web Token. Throws when the key cannot be read; the error does not contain it. */
export async function signJwt(
  signingKey: SigningKey,
  header: { readonly [name: string]: unknown },
  claims: { readonly [name: string]: unknown },
): Promise<string> {
  const { algorithm, id } = signingKey;
  const key = await importKey(signingKey);
  const parts = [{ ...header, alg: algorithm, ...(id !== undefined && { kid: id }) }, claims];
  const text = parts.map((part) => base64url(JSON.stringify(part))).join('.');
  const { signature } = algorithms[algorithm];
  const signed = await crypto.subtle.sign(signature, key, new TextEncoder().encode(text));
  return `${text}.${base64url(new Uint8Array(signed))}`;
}

async function importKey({ key, algorithm }: SigningKey): Promise<webcrypto.CryptoKey> {
  const parameters = algorithms[algorithm];
  if (!parameters) {
    const known = Object.keys(algorithms).join(', ');
    throw new TypeError(`Invalid signing algorithm: "${String(algorithm)}"; expected one of ${known}`);
  }
  if (typeof key !== 'string' && isCryptoKey(key)) return key;
  try {
    if (typeof key !== 'string')
      return await crypto.subtle.importKey('jwk', key, parameters.key, false, ['sign']);
    return await crypto.subtle.importKey('pkcs8', pkcs8(key), parameters.key, false, ['sign']);
  } catch {
    // The cause is left out: it may quote the key.
    throw new TypeError(
      `Invalid private key; expected PKCS #8 in PEM ("BEGIN PRIVATE KEY"), a JSON Web Key or a CryptoKey for ${algorithm}`,
    );
  }
}

function isCryptoKey(key: webcrypto.JsonWebKey | webcrypto.CryptoKey): key is webcrypto.CryptoKey {
  return 'usages' in key;
}

function pkcs8(pem: string): Uint8Array<ArrayBuffer> {
  const [, body] = /-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----/.exec(pem) ?? [];
  if (body === undefined) throw new TypeError('Not PKCS #8');
  return Uint8Array.from(Buffer.from(body, 'base64'));
}
