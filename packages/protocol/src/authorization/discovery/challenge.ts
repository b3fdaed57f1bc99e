/** The parts of a `WWW-Authenticate` header that OAuth defines. */
export interface Challenge {
  /** Where the protected resource metadata is (RFC 9728, section 5.1). */
  readonly resourceMetadata?: string;
  /** The scopes that the request needs; undefined when the server does not name them. */
  readonly scopes?: readonly string[];
  /** The error code of RFC 6750 or RFC 9449, such as `invalid_token`. */
  readonly error?: string;
  /** Whether the server accepts nothing but sender-constrained tokens (RFC 9449). */
  readonly requiresDpop: boolean;
}

interface SchemeChallenge {
  readonly scheme: string;
  readonly parameters: Map<string, string>;
}

/** Reads the `Bearer` and `DPoP` challenges of a `WWW-Authenticate` header, which may hold others too. */
export function parseChallenge(header: string | null): Challenge {
  const challenges = parseSchemes(header ?? '').filter(
    ({ scheme }) => scheme === 'bearer' || scheme === 'dpop',
  );
  const find = (name: string) =>
    challenges.find(({ parameters }) => parameters.has(name))?.parameters.get(name);
  const [resourceMetadata, scope, error] = [find('resource_metadata'), find('scope'), find('error')];
  return {
    ...(resourceMetadata !== undefined && { resourceMetadata }),
    ...(scope !== undefined && scope.trim() !== '' && { scopes: scope.trim().split(/\s+/) }),
    ...(error !== undefined && { error }),
    requiresDpop: challenges.length > 0 && challenges.every(({ scheme }) => scheme === 'dpop'),
  };
}

const token = String.raw`[\w!#$%&'*+.^${'`'}|~-]+`;
const separators = /[\s,]*/y;
const schemeName = new RegExp(String.raw`(${token})(?:[ \t]+|(?=,)|$)`, 'y');
const token68 = /[\w.~+/-]+=*[ \t]*(?=,|$)/y;
// A value without quotes may hold more than a token, as servers write URLs that way.
const parameter = new RegExp(
  String.raw`(${token})[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s",=][^\s",]*))`,
  'y',
);

/** RFC 9110, section 11.6.1. Reads up to the first thing that is neither a scheme nor a parameter. */
function parseSchemes(header: string): SchemeChallenge[] {
  const challenges: SchemeChallenge[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(header);
    if (match) at = pattern.lastIndex;
    return match;
  };
  while (at < header.length) {
    take(separators);
    const named = take(parameter);
    if (named) {
      const [, name = '', quoted, plain = ''] = named;
      const { parameters } = challenges.at(-1) ?? {};
      const key = name.toLowerCase();
      if (!parameters?.has(key)) parameters?.set(key, quoted?.replace(/\\(.)/g, '$1') ?? plain);
      continue;
    }
    const scheme = take(schemeName);
    if (!scheme) break;
    challenges.push({ scheme: (scheme[1] ?? '').toLowerCase(), parameters: new Map() });
    take(token68);
  }
  return challenges;
}
