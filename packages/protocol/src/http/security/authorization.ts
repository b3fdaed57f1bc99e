import { createHash, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../../define/caller.ts';
import {
  emptyReply,
  type HttpReply,
  type HttpRequest,
  jsonReply,
  refuse,
  type Route,
} from '../wire/http-message.ts';
import type { Access } from './stream-token.ts';
import { isInvalidProof, type TokenUse, type Verify, type VerifierUnavailable } from './verify.ts';

/** Admits clients with a valid token, which comes as `Authorization: Bearer`, and the `anonymous` caller. */
export interface Authorization<out Who extends Caller = Caller> {
  /**
   * The owner and scopes of a token, which handlers get as `call.caller`; undefined for a token that is
   * unknown, expired, or issued for another server. This function must check all three.
   */
  readonly verify: Verify<Who>;
  /**
   * The caller of each request without a token, such as `{ principal: 'anonymous' }`: it gets only what
   * requires no scope that it lacks, and 401 for anything else. All such clients share its principal, and so
   * the state that belongs to it; a token whose caller has this principal, too, gets 401. Default: a request
   * without a token gets 401.
   */
  readonly anonymous?: Who;
  /** Scopes that every request needs. */
  readonly requiredScopes?: readonly string[];
  /** Tells clients without a token where to get one: RFC 9728. Default: no metadata is served. */
  readonly metadata?: ResourceMetadata;
  /**
   * Answers requests to further paths of the endpoint, each by one function, without a token: for an
   * authorization server that is part of this server. Requests for the host of `metadata.resource`, and those
   * of pages from its origin, are then allowed, too. Default: no further paths.
   */
  readonly routes?: { readonly [path: string]: Route };
}

/** Tells where a client gets a token for this endpoint: RFC 9728, Protected Resource Metadata. */
export interface ResourceMetadata {
  /** The URL of this endpoint, for which tokens are issued (their audience). */
  readonly resource: string;
  /** The issuers of tokens for this endpoint, as `https:` URLs. */
  readonly authorizationServers: readonly [string, ...string[]];
  /** The scopes that a client may request. */
  readonly scopesSupported?: readonly string[];
}

/** The syntax of a token: RFC 6750. */
const tokenSyntax = '[\\w.~+/-]+=*';
const credentials = new RegExp(`^(Bearer|DPoP) +(${tokenSyntax})$`, 'i');

/**
 * An authorization by one token that all clients share.
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { webHandler, sharedToken } from '@mcp/protocol/web';
 *
 * webHandler(defineServer({ name: 'example', version: '1.0.0' }), {
 *   authorization: sharedToken('correct-horse'),
 * });
 * ```
 */
export function sharedToken(token: string): Authorization {
  if (!new RegExp(`^${tokenSyntax}$`).test(token)) {
    throw new Error('Invalid token: expected letters, digits and - . _ ~ + / and = only at its end');
  }
  const expected = digest(token);
  return {
    // All digests have the same length, so the time of the comparison reveals nothing about the token.
    verify: (given) =>
      timingSafeEqual(digest(given), expected) ? { principal: 'token', shared: true } : undefined,
  };
}

/** What the token of a request permits or, if the request is not authorized, the answer that refuses it. */
export async function authorize(
  request: HttpRequest,
  authorization: Authorization,
  { endpoint, warn }: { readonly endpoint: string; readonly warn: (message: string) => void },
): Promise<Access | { readonly refusal: HttpReply }> {
  const header = request.header('authorization') ?? '';
  if (header === '' && authorization.anonymous) {
    const caller: Caller = { ...authorization.anonymous, shared: true };
    return refusalFor(caller, authorization) ?? { caller, verifyAgain: () => Promise.resolve(caller) };
  }
  const [, given = '', token] = credentials.exec(header) ?? [];
  const scheme = given.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer';
  if (token === undefined || (scheme === 'DPoP' && !authorization.verify.dpop)) {
    return {
      refusal: /^Bearer\b/i.test(header)
        ? challenge(authorization, 400, 'invalid_request')
        : challenge(authorization, 401),
    };
  }
  const use = useOf(request, authorization, { scheme, endpoint });
  const caller = await verified(token, use, authorization);
  const problem = typeof caller === 'object' ? problemOf(caller, authorization) : undefined;
  if (problem !== undefined) {
    warn(`A token was refused: ${problem}`);
    return { refusal: challenge(authorization, 401, 'invalid_token') };
  }
  if (typeof caller !== 'object') return { refusal: challenge(authorization, 401, caller) };
  const verifyAgain = async () => authorization.verify(token, { ...use, again: true });
  return refusalFor(caller, authorization) ?? { caller, verifyAgain };
}

/** The answer to a caller who lacks one of `requiredScopes`. */
function refusalFor(
  caller: Caller,
  authorization: Authorization,
): { readonly refusal: HttpReply } | undefined {
  const { requiredScopes = [] } = authorization;
  const isMissing = requiredScopes.some((scope) => !caller.scopes?.includes(scope));
  return isMissing ? { refusal: insufficientScope(authorization, requiredScopes, caller) } : undefined;
}

function useOf(
  request: HttpRequest,
  { metadata }: Authorization,
  { scheme, endpoint }: { readonly scheme: TokenUse['scheme']; readonly endpoint: string },
): TokenUse {
  const { method, path } = request;
  const resource = metadata?.resource;
  const url = resource === undefined || path === endpoint ? resource : new URL(path, resource).href;
  return { scheme, proof: request.header('dpop'), method, url };
}

/** The owner of a token, or the error code for the client. */
async function verified(
  token: string,
  use: TokenUse,
  authorization: Authorization,
): Promise<Caller | 'invalid_token' | 'invalid_dpop_proof'> {
  try {
    const caller: unknown = await authorization.verify(token, use);
    if (!caller) return 'invalid_token';
    // Plain JavaScript may return any value.
    return typeof caller === 'object' ? (caller as Caller) : ({} as Caller);
  } catch (error) {
    if (isInvalidProof(error)) return 'invalid_dpop_proof';
    throw error;
  }
}

/**
 * Why a caller cannot be one: everything that belongs to somebody belongs to its principal. A table of tokens
 * that is an object returns members of the prototype, such as those of the token `__proto__`.
 */
function problemOf({ principal }: Caller, { anonymous }: Authorization): string | undefined {
  if (!isPrincipal(principal))
    return '`verify` returned a caller without a `principal`; expected one with a text, or undefined';
  return principal === anonymous?.principal
    ? `\`verify\` returned the principal of the \`anonymous\` caller, "${principal}"; give \`anonymous\` another one`
    : undefined;
}

/** Throws an `Error` if the anonymous caller has no principal. */
export function refuseNoPrincipal({ anonymous }: Authorization): void {
  if (anonymous && !isPrincipal(anonymous.principal))
    throw new Error('The `anonymous` caller needs a `principal`, a text');
}

function isPrincipal(principal: unknown): boolean {
  return typeof principal === 'string' && principal !== '';
}

/**
 * The answer to a request whose token cannot be verified now. It has no header `WWW-Authenticate`, because a
 * new login would not help.
 */
export function unavailable({ retryAfterSeconds }: VerifierUnavailable): HttpReply {
  const seconds = String(Math.max(1, Math.ceil(retryAfterSeconds)));
  return refuse(503, 'Tokens cannot be verified now; try again later', { 'retry-after': seconds });
}

/**
 * The answer to a request for which the token lacks a scope: 403, or 401 if there is no token. It names all
 * scopes that the next token needs: the missing ones, and those that the caller has, because a new token
 * replaces the old one.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#scope-challenge-handling
 */
export function insufficientScope(
  authorization: Authorization,
  needed: readonly string[],
  { principal, scopes = [] }: Caller,
): HttpReply {
  const all = [...new Set([...(authorization.requiredScopes ?? []), ...needed, ...scopes])];
  return principal === authorization.anonymous?.principal
    ? challenge(authorization, 401, undefined, all)
    : challenge(authorization, 403, 'insufficient_scope', all);
}

/** The path at which the metadata of the resource at `path` is served. */
function metadataPath(path: string): string {
  return `/.well-known/oauth-protected-resource${path === '/' ? '' : path}`;
}

/**
 * The metadata, or 404 if there is none, for the path `/.well-known/oauth-protected-resource` with or without
 * the path of the endpoint after it; undefined for any other path.
 */
export function metadataReply(
  path: string,
  endpoint: string,
  authorization: Authorization,
): HttpReply | undefined {
  const { metadata, verify } = authorization;
  if (path !== metadataPath(endpoint) && path !== metadataPath('/')) return undefined;
  if (!metadata) return emptyReply(404);
  const { resource, authorizationServers } = metadata;
  const scopesSupported = metadata.scopesSupported?.filter(isForResources);
  return jsonReply(
    200,
    JSON.stringify({
      resource,
      authorization_servers: authorizationServers,
      scopes_supported: scopesSupported,
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: verify.dpop?.algorithms,
      dpop_bound_access_tokens_required: verify.dpop?.required,
    }),
  );
}

function challenge(
  { metadata, verify, requiredScopes = [] }: Authorization,
  status: 400 | 401 | 403,
  error?: string,
  needed: readonly string[] = requiredScopes,
): HttpReply {
  const { dpop } = verify;
  const scopes = needed.filter((scope) => isForResources(scope) && scopeSyntax.test(scope));
  const resource = metadata && new URL(metadata.resource);
  const url = resource && new URL(metadataPath(resource.pathname), resource);
  const parameters = { error, scope: scopes.join(' '), resource_metadata: url?.href };
  const challenges = [
    ...(dpop?.required ? [] : [challengeOf('Bearer', parameters)]),
    // Both challenges have all parameters, because some clients read only one of them.
    ...(dpop ? [challengeOf('DPoP', { ...parameters, algs: dpop.algorithms.join(' ') })] : []),
  ];
  return refuse(status, refusals[status], { 'www-authenticate': challenges.join(', ') });
}

function challengeOf(scheme: string, parameters: { readonly [name: string]: string | undefined }): string {
  const shown = Object.entries(parameters)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}="${value}"`);
  return `${scheme} ${shown.join(', ')}`.trim();
}

/** RFC 6749, section 3.3. A scope with other characters, which no client can request, is not named. */
const scopeSyntax = /^[!#-[\]-~]+$/;

const refusals = {
  400: 'Malformed Authorization header; expected a scheme and a token',
  401: 'A valid token is needed',
  403: 'The token lacks a required scope',
};

// The endpoint does not ask for the scope `offline_access`, because it permits nothing here: a client adds it
// to get a refresh token from the authorization server.
const isForResources = (scope: string) => scope !== 'offline_access';

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
