import { isObject } from '../../jsonrpc/message.ts';
import type { Access } from '../access.ts';
import { DpopKey } from '../keys/dpop.ts';
import { stringIn } from '../requests/json-fields.ts';
import type { CompleteOptions } from '../options.ts';
import { parseStoredTokens } from '../tokens/tokens.ts';
import { inTurn } from './in-turn.ts';
import { storeKeyText } from './store.ts';
import { shownUrl } from '../requests/url-rules.ts';

/** Where a server's tokens came from the last time. */
export interface KnownIssuer {
  readonly issuer: string;
  readonly resource: string;
  readonly clientId: string | undefined;
}

/** The part of a store that belongs to one server. */
export class SavedAccess {
  readonly #server: string;
  readonly #search: string;
  /** The access token that the store has by this process: the last that was read or written. */
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

  /** The stored tokens, unless they are those of another client than the configured one. */
  async load(): Promise<Access | undefined> {
    const known = await this.knownIssuer();
    if (!known) return undefined;
    const { issuer } = known;
    const resource = this.#ownResource(known.resource);
    const tokens = parseStoredTokens(await this.#options.store.get({ kind: 'tokens', issuer, resource }));
    if (tokens?.issuer !== issuer || tokens.resource !== resource) return undefined;
    const { client } = { client: undefined, ...this.#options.grant };
    if (client && client.id !== tokens.clientId) return undefined;
    try {
      const dpopKey = tokens.dpopKey && (await DpopKey.from(tokens.dpopKey));
      this.#known = tokens.accessToken;
      return { tokens, dpopKey, origin: 'store' };
    } catch {
      return undefined;
    }
  }

  /** The stored tokens, where another process has replaced those that this one has read or written. */
  async loadReplaced({ tokens: used }: Access): Promise<Access | undefined> {
    const known = this.#known;
    const stored = await this.load();
    const token = stored?.tokens.accessToken;
    if (token === undefined || token === known || token === used.accessToken) return undefined;
    return stored?.tokens.issuer === used.issuer ? stored : undefined;
  }

  /** The resource of this server, where the last one was for another query of its URL. */
  #ownResource(resource: string): string {
    if (!URL.canParse(resource) || new URL(resource).search === '') return resource;
    return Object.assign(new URL(resource), { search: this.#search }).href;
  }

  /** Runs `work` while nothing else in this process, and no other process, renews the same tokens. */
  withLock<T>({ tokens }: Access, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { issuer, resource } = tokens;
    const { store } = this.#options;
    const key = { kind: 'tokens', issuer, resource } as const;
    return inTurn(store, storeKeyText(key), () => store.withLock?.(key, work, signal) ?? work());
  }

  /** Stores tokens. A store that fails costs the next run a login, not this one its call. */
  async save({ tokens }: Access): Promise<void> {
    const { issuer, resource, clientId } = tokens;
    const { store, warn } = this.#options;
    try {
      await store.set({ kind: 'tokens', issuer, resource }, { ...tokens });
      this.#known = tokens.accessToken;
      await store.set({ kind: 'server', server: this.#server }, { issuer, resource, clientId });
    } catch (error) {
      warn(
        `Cannot store the tokens for "${this.#server}": ${error instanceof Error ? error.message : 'unknown'}`,
      );
    }
  }
}
