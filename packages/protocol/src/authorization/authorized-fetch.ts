import type { AddedHeaders, Fetch, FetchLayer, LayerHelp } from '../http/client/fetch.ts';
import { type Access, accessHeaders } from './access.ts';
import { asAuthorizationError, AuthorizationError } from './authorization-error.ts';
import { type Challenge, parseChallenge } from './discovery/challenge.ts';
import { type AuthorizationOptions, type CompleteOptions, completeOptions } from './options.ts';
import { missingScopes } from './discovery/scopes.ts';
import { shownText } from './requests/oauth-reply.ts';
import { TokenSource } from './token-source.ts';
import { permittedUrl } from './requests/url-rules.ts';

/** How often one request is made at most: after a renewal, after a login, and after one for more scopes. */
const maxAttempts = 4;

/**
 * A layer for the `authorize` option of an HTTP channel. Puts an access token into every request to the
 * server's origin; where the server demands one or refuses it, obtains another and repeats the request.
 * Throws an {@link AuthorizationError} on failure.
 * @see https://modelcontextprotocol.io/specification/draft/basic/authorization
 */
export function oauth(options: AuthorizationOptions): FetchLayer {
  const complete = completeOptions(options);
  return (next) => {
    const layer = new AuthorizedFetch(complete, next);
    return Object.assign((request: Request, help?: LayerHelp) => layer.fetch(request, help), {
      headersFor: (url: string) => layer.headersFor(url),
    });
  };
}

/** A request that can be sent more than once. */
interface Repeatable {
  readonly request: Request;
  readonly url: URL;
  /** The request to send next: the same, but never one that was sent before. */
  readonly next: () => Request;
  readonly help: LayerHelp | undefined;
}

/** A request that was made, and with which token. */
interface Attempt {
  readonly access: Access | undefined;
  readonly response: Response;
}

const noHeaders: AddedHeaders = {};

class AuthorizedFetch {
  readonly #options: CompleteOptions;
  readonly #next: Fetch;
  #server: URL | undefined;
  #source: TokenSource | undefined;
  #loginFailed = false;
  /** Tokens that the server has accepted at least once. */
  readonly #accepted = new WeakSet<Access>();
  /** Scopes that a login did not bring, so that the user is not sent to it for each request. */
  readonly #refusedScopes = new Set<string>();
  /**
   * The tokens that headers present, as their responses may come after another token has taken their place.
   */
  readonly #presented = new WeakMap<AddedHeaders, Access>();
  #headers: { readonly access: Access; readonly added: AddedHeaders } | undefined;
  /** The last URL of a request, and whether it is of the server's origin. */
  #last = { url: '', isOwn: false };

  constructor(options: CompleteOptions, next: Fetch) {
    this.#options = options;
    this.#next = next;
  }

  async fetch(request: Request, help?: LayerHelp): Promise<Response> {
    const url = new URL(request.url);
    const { server, source } = this.#sourceFor(url);
    // Tokens are for this server alone.
    if (url.origin !== server.origin) return this.#next(request);
    const end = source.requests.add(request.signal);
    try {
      const next = help ? firstThen(request, help.again) : await copies(request);
      return await this.#authorized(server, source, { request, url, next, help });
    } finally {
      end();
    }
  }

  /**
   * The headers for a request that needs nothing more: before the first login, and with a token that was
   * accepted.
   */
  headersFor(url: string): AddedHeaders | undefined | Promise<AddedHeaders | undefined> {
    if (url !== this.#last.url) {
      const parsed = new URL(url);
      this.#last = { url, isOwn: parsed.origin === this.#sourceFor(parsed).server.origin };
    }
    const source = this.#source;
    if (!source || !this.#last.isOwn) return undefined;
    if (source.isLoaded) return this.#settledHeaders(source);
    const loaded = () => this.#settledHeaders(source);
    return source.load().then(loaded, () => undefined);
  }

  #settledHeaders(source: TokenSource): AddedHeaders | undefined {
    if (!source.isSettled) return undefined;
    const { access } = source;
    if (!access) return noHeaders;
    // A proof is for one request, and its nonce is in the response.
    if (!this.#accepted.has(access) || access.tokens.type === 'DPoP') return undefined;
    if (this.#headers?.access !== access) {
      const added = { authorization: `${access.tokens.type} ${access.tokens.accessToken}` };
      this.#headers = { access, added };
      this.#presented.set(added, access);
    }
    return this.#headers.added;
  }

  #sourceFor(url: URL): { readonly server: URL; readonly source: TokenSource } {
    const server = (this.#server ??= url);
    const source = (this.#source ??= new TokenSource(server, this.#options, this.#next));
    return { server, source };
  }

  async #authorized(server: URL, source: TokenSource, repeatable: Repeatable): Promise<Response> {
    const { request, help } = repeatable;
    let { access, response } = await this.#first(server, source, repeatable);
    for (let attempt = 1; ; attempt++) {
      const challenge = challengeOf(response, server);
      if (!challenge) {
        if (access) this.#accepted.add(access);
        return response;
      }
      if (attempt === maxAttempts || request.method === 'DELETE') return response;
      const replacing = this.#replace(source, request, challenge, access);
      help?.held(replacing);
      const replaced = await this.#authorization(replacing, request.signal);
      if (!replaced) return response;
      await response.body?.cancel();
      access = replaced;
      this.#checkServer(server);
      response = await this.#send(repeatable, access);
    }
  }

  async #first(server: URL, source: TokenSource, repeatable: Repeatable): Promise<Attempt> {
    const { request, help } = repeatable;
    if (help?.refused) {
      const { added, response } = help.refused;
      return { access: this.#presented.get(added), response };
    }
    const access = await this.#authorization(source.current(), request.signal);
    if (access) this.#checkServer(server);
    return { access, response: await this.#send(repeatable, access) };
  }

  async #send({ url, next, help }: Repeatable, access: Access | undefined): Promise<Response> {
    if (access) help?.added?.(access.tokens.accessToken);
    const send = async (): Promise<Response> => {
      const request = next();
      const added = access ? await accessHeaders(access, request.method, url) : {};
      for (const [name, value] of Object.entries(added)) request.headers.set(name, value);
      return this.#next(request);
    };
    const response = await send();
    const isNewNonce = access?.dpopKey?.keepNonce(url, response.headers);
    const challenge = response.status === 401 && isNewNonce && challengeOf(response, url);
    if (!challenge || challenge.error !== 'use_dpop_nonce') return response;
    await response.body?.cancel();
    const retried = await send();
    access?.dpopKey?.keepNonce(url, retried.headers);
    return retried;
  }

  async #replace(
    source: TokenSource,
    request: Request,
    challenge: Challenge,
    access: Access | undefined,
  ): Promise<Access | undefined> {
    const accepted = access !== undefined && this.#accepted.has(access);
    const missing = missingScopes(challenge, access?.tokens.scopes);
    this.#checkServer(new URL(request.url));
    this.#checkProgress(challenge, access, accepted, missing);
    const headers = versionHeader(request);
    const mayLogIn = !this.#loginFailed || !isStream(request);
    try {
      const refusal = { challenge, access, accepted, headers, mayLogIn };
      const replaced = await source.replace(refusal);
      if (replaced) this.#loginFailed = false;
      if (replaced && missingScopes(challenge, replaced.tokens.scopes).length > 0)
        this.#refusedScopes.add(missing.join(' '));
      return replaced;
    } catch (error) {
      this.#loginFailed = true;
      throw error;
    }
  }

  /** Throws where another grant would bring the same token again. */
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
      if (missing.length === 0) refuse(`${demanded}, which the token has`);
      if (this.#refusedScopes.has(missing.join(' '))) refuse(`${demanded}, which a login did not bring`);
    } else if (access?.origin === 'grant' && !accepted) {
      refuse('The server refuses the token that it has just been issued');
    }
  }

  /** Tokens are neither obtained for nor sent to a server without TLS. */
  #checkServer(server: URL): void {
    permittedUrl(server.href, 'server URL', { server, trustedOrigins: this.#options.trustedOrigins });
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
 * Whether a request opens a notification stream. These are retried automatically, so a failed login
 * is not repeated for them.
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

/** Copies of a request, for callers that cannot make it again. */
async function copies(request: Request): Promise<() => Request> {
  const body = request.body === null ? undefined : await request.arrayBuffer();
  return () => new Request(request, body && { body });
}

/**
 * The challenge in a response; undefined if the response demands no token, or comes from another
 * origin by a redirect.
 */
function challengeOf(response: Response, server: URL): Challenge | undefined {
  if (response.status !== 401 && response.status !== 403) return undefined;
  if (response.redirected && new URL(response.url).origin !== server.origin) return undefined;
  const challenge = parseChallenge(response.headers.get('www-authenticate'));
  const needsScopes = challenge.error === 'insufficient_scope' && challenge.scopes !== undefined;
  return response.status === 401 || needsScopes ? challenge : undefined;
}

/** The first revision with authorization has clients name their revision to the server's metadata too. */
function versionHeader({ headers }: Request): { readonly [name: string]: string } {
  const version = headers.get('mcp-protocol-version');
  return version === null ? {} : { 'mcp-protocol-version': version };
}

/** Waits for work that others may wait for too: the signal ends the wait, not the work. */
async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined);
  signal.throwIfAborted();
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop));
}
