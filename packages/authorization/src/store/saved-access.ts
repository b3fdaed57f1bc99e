import type { webcrypto } from 'node:crypto';
import { isObject, KeyedQueue } from '@mcp/kit';
import type { Access } from '../access.ts';
import { stringIn } from '../requests/json-fields.ts';
import type { CompleteOptions } from '../options.ts';
import type { DpopKey } from '../tokens/dpop-key.ts';
import { isTokens } from '../tokens/tokens.ts';
import { changeStore, storeKeyText, type TokenStore } from './token-store.ts';
import { shownUrl } from '../requests/url-rules.ts';

/** The issuer, resource and client of the tokens that were last stored for an MCP server. */
export interface KnownIssuer {
  readonly issuer: string;
  readonly resource: string;
  readonly clientId: string | undefined;
}

/** For each store, the queue in which this process renews the same tokens one renewal after the other. */
const queues = new WeakMap<TokenStore, KeyedQueue>();

/** The tokens of one MCP server in a store. */
export class SavedAccess {
  readonly #server: string;
  readonly #search: string;
  /** The access token that this process last read from the store or wrote to it. */
  #known: string | undefined;
  readonly #options: CompleteOptions;

  constructor(server: URL, options: CompleteOptions) {
    this.#server = shownUrl(server);
    this.#search = server.search;
    this.#options = options;
  }

  async knownIssuer(): Promise<KnownIssuer | undefined> {
    const value = await this.#options.store.get({ kind: 'server', server: this.#server });
    if (!isObject(value)) return undefined;
    const [issuer, resource] = [stringIn(value, 'issuer'), stringIn(value, 'resource')];
    if (issuer === undefined || resource === undefined) return undefined;
    return { issuer, resource, clientId: stringIn(value, 'clientId') };
  }

  /** The stored tokens; undefined if there are none, or if they are not for the configured client. */
  async load(): Promise<Access | undefined> {
    const known = await this.knownIssuer();
    if (!known) return undefined;
    const { issuer } = known;
    const resource = this.#ownResource(known.resource);
    const tokens = await this.#options.store.get({ kind: 'tokens', issuer, resource });
    if (!isTokens(tokens) || tokens.issuer !== issuer || tokens.resource !== resource) return undefined;
    const { client } = this.#options.grant;
    if (client && client.id !== tokens.clientId) return undefined;
    try {
      const dpopKey = tokens.dpopKey && (await dpopKeyOf(tokens.dpopKey));
      this.#known = tokens.accessToken;
      return { tokens, dpopKey, origin: 'store' };
    } catch {
      return undefined;
    }
  }

  /**
   * The stored tokens, if another process has replaced the tokens that this process last read or wrote;
   * otherwise undefined.
   */
  async loadReplaced({ tokens: used }: Access): Promise<Access | undefined> {
    const known = this.#known;
    const stored = await this.load();
    const token = stored?.tokens.accessToken;
    if (token === undefined || token === known || token === used.accessToken) return undefined;
    return stored?.tokens.issuer === used.issuer ? stored : undefined;
  }

  /**
   * A stored resource identifier, with its query replaced by that of this server's URL: servers whose URLs
   * differ only in the query share the stored issuer and resource, but not the tokens.
   */
  #ownResource(resource: string): string {
    if (!URL.canParse(resource) || new URL(resource).search === '') return resource;
    return Object.assign(new URL(resource), { search: this.#search }).href;
  }

  /** Runs `work` while nothing else renews the same tokens, neither in this process nor in another. */
  withLock<T>({ tokens }: Access, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { issuer, resource } = tokens;
    const { store } = this.#options;
    const key = { kind: 'tokens', issuer, resource } as const;
    const queue = queues.get(store) ?? new KeyedQueue();
    queues.set(store, queue);
    return queue.run(storeKeyText(key), () => store.withLock?.(key, work, signal) ?? work());
  }

  async save({ tokens }: Access): Promise<void> {
    const { issuer, resource, clientId } = tokens;
    await changeStore(this.#options, `store the tokens for "${this.#server}"`, async (store) => {
      await store.set({ kind: 'tokens', issuer, resource }, { ...tokens });
      this.#known = tokens.accessToken;
      await store.set({ kind: 'server', server: this.#server }, { issuer, resource, clientId });
    });
  }
}

/**
 * Imports a stored DPoP key. Its module is loaded only for such a key, because few tokens are bound to one.
 */
async function dpopKeyOf(stored: webcrypto.JsonWebKey): Promise<DpopKey> {
  const { DpopKey } = await import('../tokens/dpop-key.ts');
  return DpopKey.from(stored);
}
