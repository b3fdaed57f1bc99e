// Verifiers of tokens, for `authorization.verify` of an endpoint.
export { jwtVerifier, type JwtVerifierOptions } from './jwt-verifier.ts';
export { introspectionVerifier, type IntrospectionVerifierOptions } from './introspection-verifier.ts';
export { staticTokens, type StaticToken } from './static-tokens.ts';

// The types of the verifiers' options, and of the caller that handlers get for a token.
export type { CallerOption, VerifierOptions } from './options.ts';
export type { Claims, TokenCaller } from './tokens/caller-of.ts';
