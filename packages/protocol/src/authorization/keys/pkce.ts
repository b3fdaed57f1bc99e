import { base64url, randomToken, sha256 } from './encoding.ts';

/** A proof key for one authorization request: RFC 7636, with the method `S256`. */
export interface ProofKey {
  readonly verifier: string;
  readonly challenge: string;
}

export async function createProofKey(): Promise<ProofKey> {
  const verifier = randomToken();
  return { verifier, challenge: base64url(await sha256(verifier)) };
}
