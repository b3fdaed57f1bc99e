import { abortable } from '@mcp/kit';
import type { AddedHeaders, Fetch, FetchLayer, LayerHelp } from '@mcp/protocol/client';
import type { Access } from './access.ts';
import { asAuthorizationError, AuthorizationError } from './authorization-error.ts';
import { type Challenge, parseChallenge } from './discovery/challenge.ts';
import { type AuthorizationOptions, type CompleteOptions, completeOptions } from './options.ts';
import { missingScopes } from './discovery/scopes.ts';
import { shownText } from './requests/oauth-reply.ts';
import { TokenSource } from './token-source.ts';
import { permittedUrl } from './requests/url-rules.ts';

/**
 * Maximum number of times that a request is sent: at first, after a renewal, after a login, and after a login
 * for more scopes.
 */
const maxAttempts = 4;

/**
 * Returns a layer around `fetch`, for the option `authorize` of an HTTP channel or for any other requests.
 * The first request through the layer decides its server: the layer puts an access token into every request
 * to the origin of this first request. If the server demands a token or refuses the token, the layer obtains
 * a new token and repeats the request. Throws an {@link AuthorizationError} if that fails.
 * @see https://modelcontextprotocol.io/specification/draft/basic/authorization
 */
export function withOAuth(options: AuthorizationOptions): FetchLayer {
  const complete = completeOptions(options);
  return (next) => {
    let first: AuthorizedFetch | undefined;
    const layerFor = (url: string) => (first ??= new AuthorizedFetch(new URL(url), complete, next));
    return Object.assign((request: Request, help?: LayerHelp) => layerFor(request.url).fetch(request, help), {
      headersFor: (url: string) => layerFor(url).headersFor(url),
    });
  };
}

class AuthorizedFetch {
  readonly #server: URL;
  readonly #options: CompleteOptions;
  readonly #next: Fetch;
  readonly #source: TokenSource;
  #loginFailed = false;
  /** Tokens that the server has accepted at least once. */
  readonly #accepted = new WeakSet<Access>();
  /** Scopes that a login did not grant, so that the user is not asked for them at each request. */
  readonly #refusedScopes = new Set<string>();
  /**
   * The token in each set of headers that `headersFor` returned. When a response refuses such a request, this
   * tells which token was refused: the current token may be a newer one.
   */
  readonly #presented = new WeakMap<AddedHeaders, Access>();

  constructor(server: URL, options: CompleteOptions, next: Fetch) {
    this.#server = server;
    this.#options = options;
    this.#next = next;
    this.#source = new TokenSource(server, options, next);
  }

  async fetch(request: Request, help?: LayerHelp): Promise<Response> {
    if (!this.#isOwn(request.url)) return this.#next(request);
    const end = this.#source.open(request.signal);
    try {
      const next = help ? firstThen(request, help.again) : await copies(request);
      return await this.#authorized(request, next, help);
    } finally {
      end();
    }
  }

  /**
   * Returns the headers for a request that its caller sends without this layer, which is faster: none before
   * the first login, later the token, once the server has accepted it. Returns undefined if the request must
   * go through the layer, as with a DPoP token, for which each request needs a proof of its own.
   */
  async headersFor(url: string): Promise<AddedHeaders | undefined> {
    if (!this.#isOwn(url)) return undefined;
    if (!(await this.#source.isSettled())) return undefined;
    const { access } = this.#source;
    if (!access) return {};
    if (!this.#accepted.has(access) || access.tokens.type === 'DPoP') return undefined;
    const added = { authorization: `Bearer ${access.tokens.accessToken}` };
    this.#presented.set(added, access);
    return added;
  }

  /** Whether a URL has the origin of the server. Tokens are sent to this origin only. */
  #isOwn(url: string): boolean {
    return new URL(url).origin === this.#server.origin;
  }

  async #authorized(request: Request, next: () => Request, help: LayerHelp | undefined): Promise<Response> {
    const { refused } = help ?? {};
    let access = refused
      ? this.#presented.get(refused.added)
      : await this.#authorization(this.#source.current(), request.signal);
    let response = refused ? refused.response : await this.#send(next, access, help);
    for (let attempt = 1; ; attempt++) {
      const challenge = challengeOf(response, this.#server);
      if (!challenge) {
        if (access) this.#accepted.add(access);
        return response;
      }
      if (attempt === maxAttempts || request.method === 'DELETE') return response;
      const replacing = this.#replace(request, challenge, access);
      help?.held(replacing);
      access = await this.#authorization(replacing, request.signal);
      if (!access) return response;
      await response.body?.cancel();
      response = await this.#send(next, access, help);
    }
  }

  #send(next: () => Request, access: Access | undefined, help: LayerHelp | undefined): Promise<Response> {
    if (!access) return this.#next(next());
    this.#checkServer();
    const { accessToken, type } = access.tokens;
    help?.added?.(accessToken);
    if (access.dpopKey && type === 'DPoP') return access.dpopKey.send(accessToken, next, this.#next);
    const request = next();
    request.headers.set('authorization', `${type} ${accessToken}`);
    return this.#next(request);
  }

  async #replace(
    request: Request,
    challenge: Challenge,
    access: Access | undefined,
  ): Promise<Access | undefined> {
    const accepted = access !== undefined && this.#accepted.has(access);
    const missing = missingScopes(challenge, access?.tokens.scopes);
    this.#checkServer();
    this.#checkProgress(challenge, access, accepted, missing);
    const mayLogIn = !this.#loginFailed || !isStream(request);
    const refusal = { challenge, access, accepted, headers: versionHeader(request), mayLogIn };
    try {
      const replaced = await this.#source.replace(refusal);
      if (!replaced) return undefined;
      this.#loginFailed = false;
      const isStillMissing = missingScopes(challenge, replaced.tokens.scopes).length > 0;
      if (isStillMissing) this.#refusedScopes.add(missing.join(' '));
      return replaced;
    } catch (error) {
      this.#loginFailed = true;
      throw error;
    }
  }

  /** Throws if a new grant is useless: the server would answer its token with the same challenge again. */
  #checkProgress(
    { error, scopes }: Challenge,
    access: Access | undefined,
    accepted: boolean,
    missing: readonly string[],
  ): void {
    const refuse = (reason: string) => {
      throw new AuthorizationError('request', reason, { code: error && shownText(error) });
    };
    if (error === 'insufficient_scope' && scopes) {
      const demanded = `The server demands the scope "${shownText(scopes.join(' '))}"`;
      if (missing.length === 0) refuse(`${demanded}, although the token has it`);
      if (this.#refusedScopes.has(missing.join(' ')))
        refuse(`${demanded}, which the last login did not grant`);
    } else if (access?.origin === 'grant' && !accepted) {
      refuse('The MCP server refuses a token that was just issued for it');
    }
  }

  /** Throws for a server without TLS, because tokens must neither be obtained for it nor sent to it. */
  #checkServer(): void {
    const rules = { server: this.#server, trustedOrigins: this.#options.trustedOrigins };
    permittedUrl(this.#server.href, 'server URL', rules);
  }

  async #authorization<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await abortable(work, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw asAuthorizationError(error);
    }
  }
}

/**
 * Whether a request opens a notification stream. Such a request is repeated automatically, so it must not
 * start another login.
 */
function isStream({ method, headers }: Request): boolean {
  return method === 'GET' || headers.get('mcp-method') === 'subscriptions/listen';
}

function firstThen(first: Request, again: () => Request): () => Request {
  let unsent: Request | undefined = first;
  return () => {
    const next = unsent ?? again();
    unsent = undefined;
    return next;
  };
}

/** Returns a function that copies a request, for callers that cannot create the request again. */
async function copies(request: Request): Promise<() => Request> {
  const body = request.body === null ? undefined : await request.arrayBuffer();
  return () => new Request(request, body && { body });
}

/**
 * The challenge in a response; undefined if the response has none, or if a redirect led to another origin.
 */
function challengeOf(response: Response, server: URL): Challenge | undefined {
  if (response.status !== 401 && response.status !== 403) return undefined;
  if (response.redirected && new URL(response.url).origin !== server.origin) return undefined;
  const challenge = parseChallenge(response.headers.get('www-authenticate'));
  const needsScopes = challenge.error === 'insufficient_scope' && challenge.scopes !== undefined;
  return response.status === 401 || needsScopes ? challenge : undefined;
}

/** The protocol version of a request: revision 2025-03-26 recommends to send it in metadata requests, too. */
function versionHeader({ headers }: Request): { readonly [name: string]: string } {
  const version = headers.get('mcp-protocol-version');
  return version === null ? {} : { 'mcp-protocol-version': version };
}
