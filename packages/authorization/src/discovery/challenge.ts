/** The parts of a `WWW-Authenticate` header that OAuth defines. */
export interface Challenge {
  /** The URL of the protected resource metadata (RFC 9728, section 5.1). */
  readonly resourceMetadata?: string | undefined;
  /** The scopes that the request needs; undefined if the server does not list them. */
  readonly scopes?: readonly string[] | undefined;
  /** The error code of RFC 6750 or RFC 9449, such as `invalid_token`. */
  readonly error?: string | undefined;
  /** Whether the server accepts only sender-constrained tokens (RFC 9449). */
  readonly requiresDpop: boolean;
}

interface SchemeChallenge {
  readonly scheme: string;
  readonly parameters: Map<string, string>;
}

/** Reads the `Bearer` and `DPoP` challenges of a `WWW-Authenticate` header, and ignores other schemes. */
export function parseChallenge(header: string | null): Challenge {
  const challenges = parseSchemes(header ?? '').filter(
    ({ scheme }) => scheme === 'bearer' || scheme === 'dpop',
  );
  const find = (name: string) => challenges.map(({ parameters }) => parameters.get(name)).find(Boolean);
  const scopes = find('scope')?.split(/\s+/).filter(Boolean);
  return {
    resourceMetadata: find('resource_metadata'),
    scopes: scopes?.length ? scopes : undefined,
    error: find('error'),
    requiresDpop: challenges.length > 0 && challenges.every(({ scheme }) => scheme === 'dpop'),
  };
}

const name = String.raw`([\w!#$%&'*+.^${'`'}|~/-]+)`;
// Accepts more characters without quotes than RFC 9110, because some servers do not quote URLs.
const value = String.raw`[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s",=][^\s",]*))`;
/**
 * Matches a parameter (`name=value`), the name of a scheme, or token68 credentials such as `abc==` (RFC 9110,
 * section 11.2).
 */
const part = new RegExp(String.raw`[\s,]*${name}(?:${value}|=*)`, 'y');

/**
 * Reads a header's schemes and their parameters (RFC 9110, section 11.6.1). Stops at the first text that does
 * not match this syntax.
 */
function parseSchemes(header: string): SchemeChallenge[] {
  const challenges: SchemeChallenge[] = [];
  part.lastIndex = 0;
  for (let match = part.exec(header); match; match = part.exec(header)) {
    const [, text = '', quoted, plain] = match;
    const key = text.toLowerCase();
    const given = quoted?.replace(/\\(.)/g, '$1') ?? plain;
    const { parameters } = challenges.at(-1) ?? {};
    if (given === undefined) challenges.push({ scheme: key, parameters: new Map() });
    else if (!parameters?.has(key)) parameters?.set(key, given);
  }
  return challenges;
}
