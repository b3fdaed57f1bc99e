import type { webcrypto } from 'node:crypto';

const algorithms = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  ES384: { name: 'ECDSA', namedCurve: 'P-384' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  PS256: { name: 'RSA-PSS', hash: 'SHA-256' },
} as const;

export type SigningAlgorithm = keyof typeof algorithms;

/** A key that signs JSON Web Tokens. */
export interface SigningKey {
  /** A private key: PKCS #8 in PEM, a JSON Web Key, or a key of Web Crypto. */
  readonly key: string | webcrypto.JsonWebKey | webcrypto.CryptoKey;
  readonly algorithm: SigningAlgorithm;
  /** The `kid` in the headers of the tokens, by which the authorization server finds the public key. */
  readonly id?: string;
}

/** Imports the key for Web Crypto. Throws if it cannot be read; the error does not contain the key. */
export async function importSigningKey({ key, algorithm }: SigningKey): Promise<webcrypto.CryptoKey> {
  const parameters = algorithms[algorithm];
  if (!parameters) {
    const known = Object.keys(algorithms).join(', ');
    throw new TypeError(`Invalid signing algorithm: "${String(algorithm)}"; expected one of ${known}`);
  }
  if (typeof key !== 'string' && 'usages' in key) return key;
  try {
    if (typeof key !== 'string')
      return await crypto.subtle.importKey('jwk', key, parameters, false, ['sign']);
    const [, body = ''] = /-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----/.exec(key) ?? [];
    const bytes = Buffer.from(body, 'base64');
    return await crypto.subtle.importKey('pkcs8', bytes, parameters, false, ['sign']);
  } catch {
    // The original error is not attached as `cause`, because it may quote the key.
    throw new TypeError(
      `Invalid private key; expected PKCS #8 in PEM ("BEGIN PRIVATE KEY"), a JSON Web Key or a CryptoKey for ${algorithm}`,
    );
  }
}
