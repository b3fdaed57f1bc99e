import { abortable } from '@mcp/kit';
import { type Access, isExpiring } from './access.ts';
import { AuthorizationError } from './authorization-error.ts';
import type { Challenge } from './discovery/challenge.ts';
import { type Discovery, discover } from './discovery/discover.ts';
import type { Fetch } from '@mcp/protocol/client';
import type { Requests } from './requests/http-requests.ts';
import type { CompleteOptions } from './options.ts';
import { type KnownIssuer, SavedAccess } from './store/saved-access.ts';
import { findServerMetadata, type ServerMetadata } from './discovery/server-metadata.ts';

export interface Refusal {
  readonly challenge: Challenge;
  /**
   * The token with which the refused request was sent. `accepted` tells whether the server accepted this
   * token in an earlier request.
   */
  readonly access: Access | undefined;
  readonly accepted: boolean;
  /** Headers for the requests that fetch the server's metadata. */
  readonly headers: { readonly [name: string]: string };
  /** Whether a user may be asked to log in. */
  readonly mayLogIn: boolean;
}

type Work = (requests: Requests) => Promise<Access | undefined>;

/** An attempt to obtain a token that is in progress. */
interface Pending {
  readonly access: Promise<Access | undefined>;
  /** Cancels waiting for a user. */
  readonly abandoned: AbortController | undefined;
}

const renewalPauseMs = 30_000;

/**
 * The access token for one MCP server. Requests that need a new token at the same time wait for one common
 * attempt to obtain it.
 */
export class TokenSource {
  readonly #server: URL;
  readonly #options: CompleteOptions;
  readonly #fetch: Fetch;
  readonly #saved: SavedAccess;
  #loading: Promise<void> | undefined;
  #access: Access | undefined;
  #pending: Pending | undefined;
  /**
   * The abort listeners of the requests in progress. When the last of them is aborted, a login in progress is
   * abandoned.
   */
  readonly #open = new Set<() => void>();
  /** The renewal in progress. New requests wait for it: it needs no user, so it ends soon. */
  #renewal: Promise<Access | undefined> | undefined;
  #discovery: Discovery | undefined;
  /** After a failed renewal, no other renewal starts before this time, in milliseconds since 1970. */
  #noRenewalBefore = 0;

  constructor(server: URL, options: CompleteOptions, fetch: Fetch) {
    this.#server = server;
    this.#options = options;
    this.#fetch = fetch;
    this.#saved = new SavedAccess(server, options);
  }

  /** The current token; undefined before the first login. */
  get access(): Access | undefined {
    return this.#access;
  }

  /**
   * Whether the stored token is loaded, no new token is being obtained, and the current token does not expire
   * soon.
   */
  async isSettled(): Promise<boolean> {
    try {
      await this.#load();
    } catch {
      return false;
    }
    return !this.#pending && !this.#renewal && !(this.#access && isExpiring(this.#access.tokens));
  }

  /** Returns the token to use; undefined before the first login. Renews a token that is about to expire. */
  async current(): Promise<Access | undefined> {
    await this.#load();
    if (this.#renewal) return this.#renewal;
    const access = this.#access;
    if (!access || this.#pending || !isExpiring(access.tokens)) return access;
    if (Date.now() < this.#noRenewalBefore) return access;
    // A failed renewal is ignored: the server may still accept the old token. If it does not, `replace` is
    // called.
    this.#renewal = this.#once((requests) => this.#renew(requests, access))
      .catch(() => this.#access)
      .finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  /**
   * Returns a new token in place of the refused one; undefined if this needs a login and `mayLogIn` is false.
   */
  replace(refusal: Refusal): Promise<Access | undefined> {
    // Another request has replaced the token in the meantime.
    if (!this.#pending && this.#access !== refusal.access) return Promise.resolve(this.#access);
    return this.#once((requests) => this.#obtain(requests, refusal), new AbortController());
  }

  /**
   * Registers a request until it is aborted or the returned function is called. When the last registered
   * request is aborted, the login in progress is abandoned, and the next request begins another login without
   * waiting for the end of the old one.
   */
  open(request: AbortSignal): () => void {
    const end = () => {
      this.#open.delete(abort);
      request.removeEventListener('abort', abort);
    };
    const abort = () => {
      end();
      if (this.#open.size > 0 || !this.#pending?.abandoned) return;
      this.#pending.abandoned.abort(request.reason);
      this.#pending = undefined;
    };
    this.#open.add(abort);
    request.addEventListener('abort', abort);
    return end;
  }

  /** Loads the stored token of an earlier run, once. */
  #load(): Promise<void> {
    this.#loading ??= this.#saved.load().then(
      (access) => void (this.#access = access),
      (error: unknown) => {
        this.#loading = undefined;
        throw error;
      },
    );
    return this.#loading;
  }

  #once(work: Work, abandoned?: AbortController): Promise<Access | undefined> {
    if (this.#pending) return this.#pending.access;
    const access = this.#run(work, abandoned?.signal).finally(() => {
      if (this.#pending === pending) this.#pending = undefined;
    });
    const pending = { access, abandoned };
    this.#pending = pending;
    return access;
  }

  async #run(work: Work, abandoned: AbortSignal | undefined): Promise<Access | undefined> {
    const { loginTimeoutMs, trustedOrigins } = this.#options;
    const signal = AbortSignal.timeout(loginTimeoutMs);
    const rules = { server: this.#server, trustedOrigins };
    const requests = { fetch: this.#fetch, rules, signal, ...(abandoned && { abandoned }) };
    const access = await abortable(work(requests), signal).catch((error: unknown) => {
      throw signal.aborted ? new Error(`The login was not completed within ${loginTimeoutMs} ms`) : error;
    });
    if (access && access !== this.#access) {
      this.#access = access;
      // Saves only a token from a new grant: `#refresh` has already saved a renewed token, under the lock
      // that keeps other processes from renewing the same token.
      if (access.origin === 'grant') await this.#saved.save(access);
    }
    return access;
  }

  async #obtain(requests: Requests, refusal: Refusal): Promise<Access | undefined> {
    const { challenge, access, accepted, headers, mayLogIn } = refusal;
    const { grant } = this.#options;
    const known = await this.#saved.knownIssuer();
    const { client } = grant;
    const discovery = await discover(requests, challenge, [client?.issuer, known?.issuer], headers);
    checkIssuer(this.#options, discovery, known);
    this.#discovery = discovery;
    const sameServer =
      access?.tokens.issuer === discovery.metadata.issuer && access.tokens.resource === discovery.resource;
    // If the server refuses a token that was just renewed, another renewal would not help, only a new grant.
    const renewable = challenge.error !== 'insufficient_scope' && (access?.origin !== 'refresh' || accepted);
    if (sameServer && renewable) {
      const renewed = await this.#refresh(requests, discovery.metadata, access);
      if (renewed) return renewed;
    }
    if (grant.type === 'authorization_code' && !mayLogIn) return undefined;
    const { obtainAccess } = await import('./obtain-access.ts');
    return obtainAccess(this.#options, requests, discovery, challenge, access);
  }

  /** Renews a token before it expires. Returns the old token if a renewal is not possible without a user. */
  async #renew(requests: Requests, access: Access): Promise<Access> {
    this.#noRenewalBefore = Date.now() + renewalPauseMs;
    const metadata = this.#discovery?.metadata ?? (await findServerMetadata(requests, access.tokens.issuer));
    const renewed = metadata && (await this.#refresh(requests, metadata, access));
    if (renewed) {
      this.#noRenewalBefore = 0;
      return renewed;
    }
    if (this.#options.grant.type === 'authorization_code' || !this.#discovery) return access;
    const { obtainAccess } = await import('./obtain-access.ts');
    return obtainAccess(this.#options, requests, this.#discovery, { requiresDpop: false }, access);
  }

  #refresh(requests: Requests, metadata: ServerMetadata, access: Access): Promise<Access | undefined> {
    return this.#saved.withLock(access, requests.signal, async () => {
      // An earlier refresh continues even if its request is aborted. If it has ended in the meantime, its
      // token is used.
      if (this.#access !== access && this.#access) return this.#access;
      // Most refresh tokens work only once: uses the new token if another process has stored one.
      const stored = await this.#saved.loadReplaced(access);
      if (stored) return stored;
      const { refreshAccess } = await import('./obtain-access.ts');
      const renewed = await refreshAccess(this.#options, requests, metadata, access);
      if (renewed) {
        await this.#saved.save(renewed);
        this.#access = renewed;
      }
      return renewed;
    });
  }
}

/**
 * Throws if the configured client is registered with another authorization server than the discovered one,
 * because the client's credentials must not be sent to the discovered server.
 */
function checkIssuer(
  { grant }: CompleteOptions,
  { metadata: { issuer } }: Discovery,
  known: KnownIssuer | undefined,
): void {
  const { client } = grant;
  if (!client) return;
  const expected = client.issuer ?? (known?.clientId === client.id ? known.issuer : undefined);
  if (expected === undefined || expected === issuer) return;
  throw new AuthorizationError(
    'registration',
    `The client "${client.id}" is registered with "${expected}", but the MCP server names the authorization server "${issuer}"`,
  );
}
