/** The handshake that a server needs, and when that was determined. */
export interface Negotiation {
  /**
   * `stateless`: the server needs no handshake (revision 2026-07-28). `handshake`: it needs `initialize`.
   * `fallback`: it needs `initialize` over HTTP+SSE.
   */
  readonly opening: 'stateless' | 'handshake' | 'fallback';
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Stores the handshake that each server needs, by the name of the server, so that a server that needs
 * `initialize` is not probed with `server/discover` again. A host may provide a store that outlives its
 * process.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 */
export interface NegotiationCache {
  get(server: string): Negotiation | undefined;
  set(server: string, negotiation: Negotiation): void;
  delete(server: string): void;
}

/** Maximum age of a stored handshake in milliseconds: a day, because servers are updated. */
export const maxNegotiationAgeMs = 24 * 60 * 60_000;

/** The handshakes that this process has stored, for clients without a store of their own. */
export const processNegotiations: NegotiationCache = new Map<string, Negotiation>();

export function freshNegotiation(negotiations: NegotiationCache, server: string): Negotiation | undefined {
  const negotiation = negotiations.get(server);
  if (!negotiation) return undefined;
  const age = Date.now() - negotiation.at;
  return age >= 0 && age < maxNegotiationAgeMs ? negotiation : undefined;
}
