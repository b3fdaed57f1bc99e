import type { webcrypto } from 'node:crypto';
import { base64url, sha256 } from './encoding.ts';
import { signJwt } from './jwt.ts';
import { shownUrl } from '../requests/url-rules.ts';

export const dpopAlgorithm = 'ES256';
const keyParameters = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** A key that tokens are bound to, so that a stolen token alone is of no use: RFC 9449. */
export class DpopKey {
  /** The private key as the store keeps it: a secret. */
  readonly privateKey: webcrypto.JsonWebKey;
  readonly #key: webcrypto.CryptoKey;
  readonly #publicKey: webcrypto.JsonWebKey;
  /** The last nonce of each origin, as servers may demand one in every proof (sections 8 and 9). */
  readonly #nonces = new Map<string, string>();

  private constructor(key: webcrypto.CryptoKey, privateKey: webcrypto.JsonWebKey) {
    const { kty, crv, x, y } = privateKey;
    this.#key = key;
    this.privateKey = privateKey;
    this.#publicKey = { kty, crv, x, y } as webcrypto.JsonWebKey;
  }

  static async generate(): Promise<DpopKey> {
    const { privateKey } = await crypto.subtle.generateKey(keyParameters, true, ['sign', 'verify']);
    return new DpopKey(privateKey, await crypto.subtle.exportKey('jwk', privateKey));
  }

  static async from(privateKey: webcrypto.JsonWebKey): Promise<DpopKey> {
    const key = await crypto.subtle.importKey('jwk', privateKey, keyParameters, true, ['sign']);
    return new DpopKey(key, privateKey);
  }

  /** The value of a `DPoP` header for one request. */
  async proof(method: string, url: URL, accessToken?: string): Promise<string> {
    const nonce = this.#nonces.get(url.origin);
    const claims = {
      jti: crypto.randomUUID(),
      htm: method,
      htu: shownUrl(url),
      iat: Math.floor(Date.now() / 1000),
      ...(accessToken !== undefined && { ath: base64url(await sha256(accessToken)) }),
      ...(nonce !== undefined && { nonce }),
    };
    const header = { typ: 'dpop+jwt', jwk: this.#publicKey };
    return signJwt({ key: this.#key, algorithm: dpopAlgorithm }, header, claims);
  }

  /** Keeps the nonce of a response for the next proof. Returns whether it is a new one. */
  keepNonce(url: URL, headers: Headers): boolean {
    const nonce = headers.get('dpop-nonce');
    if (nonce === null || nonce === this.#nonces.get(url.origin)) return false;
    this.#nonces.set(url.origin, nonce);
    return true;
  }
}
