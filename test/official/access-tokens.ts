import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { calculateJwkThumbprint, createRemoteJWKSet, EmbeddedJWK, type JWTPayload, jwtVerify } from 'jose';

/** The claims of an access token that the issuer has signed for the resource. Rejects for any other token. */
export type VerifyToken = (token: string) => Promise<JWTPayload>;

export function tokensOf(issuer: string, resource: string): VerifyToken {
  const keys = createRemoteJWKSet(new URL('/jwks', issuer));
  return async (token) => (await jwtVerify(token, keys, { issuer, audience: resource })).payload;
}

/** Throws unless the request proves the key that its token is bound to: RFC 9449, section 4.3. */
export async function verifyProof(
  { headers, method }: IncomingMessage,
  url: string,
  token: string,
): Promise<void> {
  const { payload, protectedHeader } = await jwtVerify(String(headers['dpop']), EmbeddedJWK, {
    typ: 'dpop+jwt',
  });
  const [, claims = ''] = token.split('.');
  const { cnf } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { cnf: { jkt: string } };
  const hash = createHash('sha256').update(token).digest('base64url');
  const proved = payload['htm'] === method && payload['htu'] === url && payload['ath'] === hash;
  if (!proved || (await calculateJwkThumbprint(protectedHeader.jwk ?? {})) !== cnf.jkt)
    throw new Error('The proof is not that of the request');
}
