import { fetchErrorText, fetchJson, isObject, isRedirect, messageOf } from '@mcp/kit';
import { isNarrower, reachOf } from '@mcp/kit/node';
import { HostError, usageError } from '../errors.ts';
import { readServer, type RegistryServer } from './registry-server.ts';

/** The registry of the Model Context Protocol project. */
export const officialRegistry = 'https://registry.modelcontextprotocol.io';

/** Milliseconds for one response, with its redirects. */
const defaultTimeoutMs = 15_000;
const maxBodyBytes = 8 * 1024 * 1024;
const maxRedirects = 3;
/** How many pages a search reads, of so many servers each. */
const maxPages = 5;
const pageSize = 100;

export interface SearchResult {
  readonly servers: readonly RegistryServer[];
  /** Whether the registry has more servers than were read. */
  readonly hasMore: boolean;
}

/** A registry that speaks the API v0.1 of the official one. Its functions reject with a `HostError`. */
export class Registry {
  readonly #base: URL;
  readonly #signal: AbortSignal;
  readonly #timeoutMs: number;

  /** Throws a `HostError` for an address that is not one of HTTPS; HTTP is allowed on this machine. */
  constructor(address: string, signal: AbortSignal, timeoutMs = defaultTimeoutMs) {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal(url));
    if (!url || !isSafe || url.username !== '' || url.password !== '' || url.search !== '')
      throw usageError(
        `Invalid registry: "${url && url.password !== '' ? url.host : address}"; expected an https:// address without a user and a query, or http:// on this machine`,
      );
    this.#base = url;
    this.#signal = signal;
    this.#timeoutMs = timeoutMs;
  }

  get address(): URL {
    return this.#base;
  }

  /**
   * The latest versions of at most `limit` servers whose names or descriptions contain all `words`, and whose
   * names contain one of them: the registry looks for one text in the names alone.
   */
  async search(words: readonly string[], limit: number): Promise<SearchResult> {
    const found = new Map<string, RegistryServer>();
    let hasMore = false;
    for (const word of new Set(words.toSorted((a, b) => b.length - a.length))) {
      if (found.size > limit) break;
      hasMore = (await this.#searchNames(word, words, { found, limit })) || hasMore;
    }
    const servers = [...found.values()];
    return { servers: servers.slice(0, limit), hasMore: hasMore || servers.length > limit };
  }

  /** Adds the servers with all `words`, one of them in their names; returns whether there are more. */
  async #searchNames(
    word: string,
    words: readonly string[],
    { found, limit }: { readonly found: Map<string, RegistryServer>; readonly limit: number },
  ): Promise<boolean> {
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page++) {
      const url = this.#url('servers');
      url.searchParams.set('version', 'latest');
      url.searchParams.set('limit', String(pageSize));
      url.searchParams.set('search', word);
      if (cursor !== undefined) url.searchParams.set('cursor', cursor);
      const body = await this.#get(url);
      for (const server of serversIn(body, url))
        if (server.status !== 'deleted' && hasWords(server, words)) found.set(server.name, server);
      cursor = nextCursor(body);
      if (cursor === undefined || found.size > limit) break;
    }
    return cursor !== undefined;
  }

  /** A version of a server, by default the latest one. */
  async server(name: string, version = 'latest'): Promise<RegistryServer> {
    const url = this.#url('servers', name, 'versions', version);
    const body = await this.#get(url).catch(async (error: unknown) => {
      throw error instanceof NotFound ? await this.#missing(name, version) : error;
    });
    const server = read(body, url);
    if (server.name !== name)
      throw broken(url, `the answer is about another server: ${JSON.stringify(server.name)}`);
    if (version !== 'latest' && server.version !== version)
      throw broken(url, `the answer is about another version: ${JSON.stringify(server.version)}`);
    return server;
  }

  /** The versions of a server, the newest first. */
  async versions(name: string): Promise<readonly string[]> {
    const url = this.#url('servers', name, 'versions');
    const versions = serversIn(await this.#get(url), url).filter((each) => each.name === name);
    return [...new Set(versions.map(({ version }) => version))];
  }

  #url(...path: readonly string[]): URL {
    const base = this.#base.href.replace(/\/+$/, '');
    return new URL([`${base}/v0.1`, ...path.map(encodeURIComponent)].join('/'));
  }

  /** Why a version is missing: an unknown name, or another version. */
  async #missing(name: string, version: string): Promise<HostError> {
    const versions = await this.versions(name).catch((error: unknown) => {
      if (error instanceof NotFound) return [];
      throw error;
    });
    return versions.length === 0
      ? failure(`The registry has no server "${name}"`, 'mcp search finds names of servers')
      : failure(
          `The registry has no version "${version}" of "${name}"`,
          `it has ${versions.slice(0, 10).join(', ')}`,
        );
  }

  /** The object in a response. Redirects are followed to where the registry itself could be. */
  async #get(url: URL): Promise<JsonObject> {
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(this.#timeoutMs)]);
    let current = url;
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const { response, json } = await this.#send(current, signal);
      const location = response.headers.get('location');
      if (isRedirect(response) && location !== null) {
        current = redirected(current, location, this.#base);
        continue;
      }
      if (response.status === 404) throw new NotFound(url);
      if (!response.ok) throw broken(url, `it answers with HTTP ${response.status}`);
      if (!json) throw broken(url, 'the answer is no JSON object');
      return json;
    }
    throw broken(url, `it redirects more than ${maxRedirects} times`);
  }

  async #send(url: URL, signal: AbortSignal) {
    const init = { headers: { accept: 'application/json' } };
    try {
      return await fetchJson((request) => fetch(request), url, init, { signal, maxBytes: maxBodyBytes });
    } catch (error) {
      this.#signal.throwIfAborted();
      throw broken(url, fetchErrorText(error), error);
    }
  }
}

type JsonObject = { readonly [key: string]: unknown };

/**
 * Where a redirect leads. Throws a `HostError` for an address that is not as safe as that of a registry: one
 * without TLS, or one in a private network.
 */
export function redirected(from: URL, location: string, base: URL): URL {
  const url = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== base.protocol))
    throw broken(base, `it redirects to "${location.slice(0, 100)}", which is not an https:// address`);
  if (isNarrower(reachOf(url.hostname), reachOf(base.hostname)))
    throw broken(base, `it redirects to "${url.host}", an address of a private network`);
  return url;
}

function isLocal({ hostname }: URL): boolean {
  return reachOf(hostname) === 'loopback';
}

function hasWords({ name, title = '', description }: RegistryServer, words: readonly string[]): boolean {
  const text = `${name} ${title} ${description}`.toLowerCase();
  return words.every((word) => text.includes(word.toLowerCase()));
}

/** The servers of a list. One that is broken does not hide the others. */
function serversIn({ servers }: JsonObject, url: URL): RegistryServer[] {
  if (!Array.isArray(servers)) throw broken(url, '"servers" of the answer must be a list');
  return servers.flatMap((each) => {
    try {
      return [readServer(each)];
    } catch {
      return [];
    }
  });
}

function read(body: JsonObject, url: URL): RegistryServer {
  try {
    return readServer(body);
  } catch (error) {
    throw broken(url, messageOf(error), error);
  }
}

function nextCursor({ metadata }: JsonObject): string | undefined {
  const cursor = isObject(metadata) ? metadata['nextCursor'] : undefined;
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
}

function failure(message: string, hint?: string, cause?: unknown): HostError {
  return new HostError(message, { phase: 'call', hint, cause });
}

function broken({ origin }: URL, reason: string, cause?: unknown): HostError {
  return failure(
    `The registry "${origin}" cannot be used: ${reason}`,
    'try again later, or name another registry with --registry',
    cause,
  );
}

/** There is nothing at an address. */
class NotFound extends HostError {
  constructor({ origin, pathname }: URL) {
    super(`The registry "${origin}" has no "${pathname}"`, { phase: 'call' });
  }
}
