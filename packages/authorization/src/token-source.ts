import { type Access, isExpiring } from './access.ts';
import type { Challenge } from './discovery/challenge.ts';
import { type Discovery, discover } from './discovery/discover.ts';
import type { Fetch } from '../http/client/fetch.ts';
import type { Requests } from './requests/http-requests.ts';
import { checkIssuer, obtainAccess } from './obtain-access.ts';
import type { CompleteOptions } from './options.ts';
import { refreshAccess } from './refresh-access.ts';
import { OpenRequests } from './requests/open-requests.ts';
import { SavedAccess } from './store/saved-access.ts';
import { findServerMetadata, type ServerMetadata } from './discovery/server-metadata.ts';

export interface Refusal {
  readonly challenge: Challenge;
  /** The token of the refused request, and whether the server has accepted it before. */
  readonly access: Access | undefined;
  readonly accepted: boolean;
  /** Headers for requests to the server's metadata. */
  readonly headers: { readonly [name: string]: string };
  /** Whether a user may be asked to log in. */
  readonly mayLogIn: boolean;
}

type Work = (requests: Requests) => Promise<Access | undefined>;

const renewalPauseMs = 30_000;

/** The token of one server. Requests that need another one at the same time wait for the same one. */
export class TokenSource {
  readonly #server: URL;
  readonly #options: CompleteOptions;
  readonly #fetch: Fetch;
  readonly #saved: SavedAccess;
  readonly requests = new OpenRequests((reason) => this.#abandon(reason));
  #loading: Promise<void> | undefined;
  #loaded = false;
  #access: Access | undefined;
  #pending: Promise<Access | undefined> | undefined;
  /** Aborts the pending request for a token, if that may wait for a user. */
  #abandoned: AbortController | undefined;
  /** The pending request for a token, if it needs no user; new requests wait for it, too. */
  #renewal: Promise<Access | undefined> | undefined;
  #discovery: Discovery | undefined;
  /** After a renewal that failed, the token is used as it is for a while. */
  #noRenewalBefore = 0;

  constructor(server: URL, options: CompleteOptions, fetch: Fetch) {
    this.#server = server;
    this.#options = options;
    this.#fetch = fetch;
    this.#saved = new SavedAccess(server, options);
  }

  /** Loads the token of an earlier run, once. */
  load(): Promise<void> {
    return (this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    }));
  }

  get isLoaded(): boolean {
    return this.#loaded;
  }

  /** The token; undefined before the first login. */
  get access(): Access | undefined {
    return this.#access;
  }

  /** Whether the token is loaded, and neither being replaced nor about to expire. */
  get isSettled(): boolean {
    const access = this.#access;
    return this.#loaded && !this.#pending && !this.#renewal && !(access && isExpiring(access.tokens));
  }

  /** The token to use, renewed where it is about to expire; undefined before the first login. */
  async current(): Promise<Access | undefined> {
    await this.load();
    if (this.#renewal) return this.#renewal;
    const access = this.#access;
    if (!access || this.#pending || !isExpiring(access.tokens)) return access;
    if (Date.now() < this.#noRenewalBefore) return access;
    // The token may still be accepted; otherwise the server's answer starts a renewal or a login.
    this.#renewal = this.#once((requests) => this.#renew(requests, access))
      .catch(() => this.#access)
      .finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  /** Another token than the refused one; undefined where a user would have to log in and may not be asked. */
  replace(refusal: Refusal): Promise<Access | undefined> {
    // Another request has replaced the token in the meantime.
    if (!this.#pending && this.#access !== refusal.access) return Promise.resolve(this.#access);
    return this.#once((requests) => this.#obtain(requests, refusal), new AbortController());
  }

  async #load(): Promise<void> {
    this.#access = await this.#saved.load();
    this.#loaded = true;
  }

  #once(work: Work, abandoned?: AbortController): Promise<Access | undefined> {
    if (this.#pending) return this.#pending;
    const pending = this.#run(work, abandoned?.signal).finally(() => this.#forget(pending));
    this.#pending = pending;
    this.#abandoned = abandoned;
    return pending;
  }

  #forget(pending: Promise<Access | undefined> | undefined): void {
    if (this.#pending === pending) [this.#pending, this.#abandoned] = [undefined, undefined];
  }

  /**
   * Gives up a login that no request waits for. The next request begins another, whether or not this
   * one ends immediately.
   */
  #abandon(reason: unknown): void {
    if (!this.#abandoned) return;
    this.#abandoned.abort(reason);
    this.#forget(this.#pending);
  }

  async #run(work: Work, abandoned: AbortSignal | undefined): Promise<Access | undefined> {
    const { loginTimeoutMs, trustedOrigins } = this.#options;
    const signal = AbortSignal.timeout(loginTimeoutMs);
    const rules = { server: this.#server, trustedOrigins };
    const timedOut = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error(`no login within ${loginTimeoutMs} ms`)));
    });
    const requests = { fetch: this.#fetch, rules, signal, ...(abandoned && { abandoned }) };
    const access = await Promise.race([work(requests), timedOut]);
    if (access && access !== this.#access) {
      this.#access = access;
      // A renewed token is saved before another process may renew it.
      if (access.origin === 'grant') await this.#saved.save(access);
    }
    return access;
  }

  async #obtain(requests: Requests, refusal: Refusal): Promise<Access | undefined> {
    const { challenge, access, accepted, headers, mayLogIn } = refusal;
    const { grant } = this.#options;
    const known = await this.#saved.knownIssuer();
    const { client } = { client: undefined, ...grant };
    const discovery = await discover(requests, challenge, [client?.issuer, known?.issuer], headers);
    checkIssuer(this.#options, discovery, known);
    this.#discovery = discovery;
    const sameServer =
      access?.tokens.issuer === discovery.metadata.issuer && access.tokens.resource === discovery.resource;
    // A token that was renewed in vain needs a new grant, not another renewal.
    const renewable = challenge.error !== 'insufficient_scope' && (access?.origin !== 'refresh' || accepted);
    if (sameServer && renewable) {
      const renewed = await this.#refresh(requests, discovery.metadata, access);
      if (renewed) return renewed;
    }
    if (grant.type === 'authorization_code' && !mayLogIn) return undefined;
    return obtainAccess(this.#options, requests, discovery, challenge, access);
  }

  /** Renews a token before it expires. Returns it as it is where that is not possible without a user. */
  async #renew(requests: Requests, access: Access): Promise<Access> {
    this.#noRenewalBefore = Date.now() + renewalPauseMs;
    const metadata = this.#discovery?.metadata ?? (await findServerMetadata(requests, access.tokens.issuer));
    const renewed = metadata && (await this.#refresh(requests, metadata, access));
    if (renewed) {
      this.#noRenewalBefore = 0;
      return renewed;
    }
    if (this.#options.grant.type === 'authorization_code' || !this.#discovery) return access;
    return obtainAccess(this.#options, requests, this.#discovery, { requiresDpop: false }, access);
  }

  #refresh(requests: Requests, metadata: ServerMetadata, access: Access): Promise<Access | undefined> {
    return this.#saved.withLock(access, requests.signal, async () => {
      // An earlier refresh, of a request that was aborted, may have ended meanwhile.
      if (this.#access !== access && this.#access) return this.#access;
      // Another process may have used the refresh token, which often works only once.
      const stored = await this.#saved.loadReplaced(access);
      if (stored) return stored;
      const renewed = await refreshAccess(this.#options, requests, metadata, access);
      if (renewed) {
        await this.#saved.save(renewed);
        this.#access = renewed;
      }
      return renewed;
    });
  }
}
