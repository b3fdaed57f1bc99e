import type { webcrypto } from 'node:crypto';
import type { Fetch } from '@mcp/protocol/client';
import {
  allowInsecureRequests,
  customFetch,
  DPoP,
  type DPoPHandle,
  protectedResourceRequest,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi';
import { parseChallenge } from '../discovery/challenge.ts';

export const dpopAlgorithm = 'ES256';
const parameters = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** A key that tokens are bound to, so that a stolen token cannot be used without the key: RFC 9449. */
export class DpopKey {
  /** The private key in the form in which a store keeps it. It is a secret. */
  readonly privateKey: webcrypto.JsonWebKey;
  /** Makes the DPoP proofs, and remembers the last nonce of each origin. */
  readonly handle: DPoPHandle;

  private constructor(privateKey: webcrypto.JsonWebKey, pair: webcrypto.CryptoKeyPair) {
    this.privateKey = privateKey;
    this.handle = DPoP({}, pair);
  }

  static async generate(): Promise<DpopKey> {
    const pair = await crypto.subtle.generateKey(parameters, true, ['sign', 'verify']);
    return new DpopKey(await crypto.subtle.exportKey('jwk', pair.privateKey), pair);
  }

  static async from(stored: webcrypto.JsonWebKey): Promise<DpopKey> {
    const { kty, crv, x, y } = stored as Required<webcrypto.JsonWebKey>;
    const [privateKey, publicKey] = await Promise.all([
      crypto.subtle.importKey('jwk', stored, parameters, false, ['sign']),
      crypto.subtle.importKey('jwk', { kty, crv, x, y }, parameters, true, ['verify']),
    ]);
    return new DpopKey(stored, { privateKey, publicKey });
  }

  /**
   * Sends a request with a token and a DPoP proof. If the server demands another nonce, sends it once more
   * with this nonce.
   */
  async send(accessToken: string, request: () => Request, next: Fetch): Promise<Response> {
    const send = (): Promise<Response> => {
      const sent = request();
      return protectedResourceRequest(accessToken, sent.method, new URL(sent.url), undefined, undefined, {
        DPoP: this.handle,
        // The caller has checked that the URL uses HTTPS, or is one of the exceptions that oauth4webapi does
        // not know: loopback and trusted origins.
        [allowInsecureRequests]: true,
        [customFetch](_, { headers: { authorization = '', dpop = '' } }) {
          sent.headers.set('authorization', authorization);
          sent.headers.set('dpop', dpop);
          return next(sent);
        },
      });
    };
    const response = await send().catch(responseIn);
    if (!demandsNonce(response)) return response;
    await response.body?.cancel();
    return send().catch(responseIn);
  }
}

/**
 * Returns the response in an error of oauth4webapi, which throws for every response with a challenge: the
 * caller of `send` reads the challenge itself.
 */
function responseIn(error: unknown): Response {
  if (error instanceof WWWAuthenticateChallengeError) return error.response;
  throw error;
}

/**
 * Whether a response demands another nonce. oauth4webapi does not recognize this if the `WWW-Authenticate`
 * header also has an unquoted URL, which some servers send.
 */
function demandsNonce({ status, headers }: Response): boolean {
  if (status !== 401 || !headers.has('dpop-nonce')) return false;
  return parseChallenge(headers.get('www-authenticate')).error === 'use_dpop_nonce';
}
