import { createHash } from 'node:crypto';
import { messageOf, quoted } from '@mcp/kit';
import { type DpopSupport, InvalidProof, type TokenUse } from '@mcp/protocol/web';
import { ReplayTable } from './replay-table.ts';

const algorithms = ['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'PS256', 'RS256'];
const maxProofLength = 8 * 1024;
/** Maximum age of a proof (DPoP) in seconds, by the time at which it was made (`iat`). */
const maxAge = 60;

/** Checks that the sender of a request has the key to which its token is bound: RFC 9449, section 4.3. */
export class ProofChecker {
  readonly support: DpopSupport;
  readonly #clockTolerance: number;
  readonly #used: ReplayTable;

  constructor(required: boolean, clockTolerance: number) {
    this.support = { algorithms, required };
    this.#clockTolerance = clockTolerance;
    // The client's clock may be ahead of this one, or behind it, by the tolerance. So a used proof is
    // remembered for `maxAge` and twice the tolerance, and a second more.
    this.#used = new ReplayTable((maxAge + 2 * clockTolerance + 1) * 1000);
  }

  /** Throws an `InvalidProof` if the proof is not valid for this use of the token. */
  async check(token: string, use: TokenUse, thumbprint: string): Promise<void> {
    const { proof = '', method, url } = use;
    if (proof === '') throw new InvalidProof('The request has no proof in the header "DPoP"');
    if (proof.length > maxProofLength)
      throw new InvalidProof(`The proof is longer than ${maxProofLength} characters`);
    const { htm, htu, ath, jti } = await this.#claimsOf(proof, thumbprint);
    if (htm !== method)
      throw new InvalidProof(`The proof is for the method ${shown(htm)}; the request has "${method}"`);
    if (url === undefined || targetOf(htu) !== targetOf(url))
      throw new InvalidProof(`The proof is for the URL ${shown(htu)}; the request is for ${shown(url)}`);
    if (ath !== hash(token)) throw new InvalidProof('The proof is for another token');
    if (typeof jti !== 'string' || jti === '') throw new InvalidProof('The proof has no "jti"');
    if (!this.#used.add(thumbprint, hash(jti))) throw new InvalidProof('The proof has been used before');
  }

  /** The claims of a proof that the key with this thumbprint has signed. */
  async #claimsOf(proof: string, thumbprint: string): Promise<{ readonly [name: string]: unknown }> {
    const { calculateJwkThumbprint, decodeProtectedHeader, EmbeddedJWK, jwtVerify } = await import('jose');
    try {
      // The key is compared first: a signature by a key of the sender's choice can take long to check.
      const { jwk } = decodeProtectedHeader(proof);
      if (!jwk || (await calculateJwkThumbprint(jwk)) !== thumbprint)
        throw new InvalidProof('The proof has another key than the one to which the token is bound');
      const { payload } = await jwtVerify(proof, EmbeddedJWK, {
        algorithms,
        typ: 'dpop+jwt',
        maxTokenAge: maxAge,
        clockTolerance: this.#clockTolerance,
      });
      return payload;
    } catch (cause) {
      if (cause instanceof InvalidProof) throw cause;
      throw new InvalidProof(`The proof is not valid: ${messageOf(cause)}`, { cause });
    }
  }
}

/**
 * A URL without its query and fragment, which are not compared (RFC 9449, section 4.3); undefined if invalid.
 */
function targetOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  return Object.assign(new URL(url), { search: '', hash: '' }).href;
}

const shown = (value: unknown) => (typeof value === 'string' ? quoted(value, 200) : 'missing');

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
