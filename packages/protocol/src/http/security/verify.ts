import type { Caller } from '../../define/caller.ts';

/** How a request presents its token. */
export interface TokenUse {
  /** `DPoP` for a token that is bound to a key of the client (RFC 9449). */
  readonly scheme: 'Bearer' | 'DPoP';
  /** The header `DPoP` of the request, in which the client proves that it has the key. */
  readonly proof: string | undefined;
  readonly method: string;
  /**
   * The URL of the request. It is derived from `metadata.resource`, and never from the header `Host`, which
   * anyone can set. Undefined without metadata.
   */
  readonly url: string | undefined;
  /**
   * True if the token of an open stream is verified again, at the interval `limits.recheckMs`. Its proof was
   * verified when the request came, and is too old now. Default: false.
   */
  readonly again?: boolean;
}

/** Finds out the owner of a token. */
export interface Verify<out Who extends Caller = Caller> {
  /**
   * The owner and scopes of a token; undefined for a token that is unknown, expired, or issued for another
   * server, all of which this function must check. The streams of a token end soon after that (see
   * `limits.recheckMs`). Throws a {@link VerifierUnavailable} if it cannot check
   * now, and an {@link InvalidProof} if the token is bound to another key.
   */
  (token: string, use: TokenUse): Who | undefined | Promise<Who | undefined>;
  /**
   * If given, the endpoint also accepts tokens with the scheme `DPoP` or, with `required`, only these.
   * Default: `Bearer` only.
   */
  readonly dpop?: DpopSupport | undefined;
}

/** What a client is told about tokens that are bound to a key: RFC 9449. */
export interface DpopSupport {
  /** The algorithms of proofs, such as `ES256`. */
  readonly algorithms: readonly string[];
  /** Whether every token must be bound. */
  readonly required: boolean;
}

/**
 * Tokens cannot be verified now, for example because the keys of their issuer cannot be fetched. The endpoint
 * answers with 503, so that clients try again later and do not log in. The message goes to `onWarning`.
 */
export class VerifierUnavailable extends Error {
  override readonly name = 'VerifierUnavailable';
  /** When a client may try again. */
  readonly retryAfterSeconds: number;

  constructor(message: string, options: ErrorOptions & { readonly retryAfterSeconds?: number } = {}) {
    super(message, options);
    this.retryAfterSeconds = options.retryAfterSeconds ?? 5;
  }
}

/** The token may be valid, but the proof that the client has its key is not: RFC 9449, section 4.3. */
export class InvalidProof extends Error {
  override readonly name = 'InvalidProof';
}

// These functions compare names and do not use `instanceof`, because a package with verifiers may load its
// own copy of these classes.

export function isUnavailable(error: unknown): error is VerifierUnavailable {
  return error instanceof Error && error.name === 'VerifierUnavailable';
}

export function isInvalidProof(error: unknown): error is InvalidProof {
  return error instanceof Error && error.name === 'InvalidProof';
}
