/** The handshake that a server needs, and when that was determined. */
export interface Verdict {
  /** `stateless`: 2026-07-28 and later. `handshake`: `initialize`. `fallback`: `initialize` over HTTP+SSE. */
  readonly opening: 'stateless' | 'handshake' | 'fallback';
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Stores the handshake that each server needs, by its name, so that a server that needs `initialize` is not
 * probed again. A host may provide a store that outlives its process.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 */
export interface Verdicts {
  get(server: string): Verdict | undefined;
  set(server: string, verdict: Verdict): void;
  delete(server: string): void;
}

/** Maximum age of a stored handshake: a day, as servers are updated. */
export const maxVerdictAgeMs = 24 * 60 * 60_000;

/** The handshakes that this process has stored, for clients without a store of their own. */
export const processVerdicts: Verdicts = new Map<string, Verdict>();

export function freshVerdict(verdicts: Verdicts, server: string): Verdict | undefined {
  const verdict = verdicts.get(server);
  if (!verdict) return undefined;
  const age = Date.now() - verdict.at;
  return age >= 0 && age < maxVerdictAgeMs ? verdict : undefined;
}
