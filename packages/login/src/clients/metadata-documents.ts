import { fetchErrorText, fetchJson, quoted } from '@mcp/kit';
import { isNarrower, reachOf } from '@mcp/kit/node';
import type { Fetch } from '@mcp/protocol/client';
import type { Client } from './client.ts';
import { parseClientMetadata } from './client-metadata.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { knownDocuments } from './known-documents.ts';

const timeoutMs = 5_000;
const maxBytes = 64 * 1024;
const maxFetches = 5;
const maxKnown = 100;
const freshMs = 10 * 60_000;
const failedMs = 30_000;
const maxUrlLength = 2_048;

type JsonObject = { readonly [name: string]: unknown };

interface Entry {
  readonly client: Promise<Client>;
  /** When the document is fetched again, in milliseconds since 1970. */
  until: number;
}

/**
 * Clients whose id is the HTTPS URL of a document that describes them. Documents are kept for ten minutes.
 * @see https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/
 */
export class MetadataDocuments {
  readonly #server: URL;
  readonly #fetch: Fetch;
  readonly #entries = new Map<string, Entry>();
  #running = 0;

  /** @param server the URL of the server, the reach of which a document must have */
  constructor(server: URL, fetch: Fetch = guardedFetch(reachOf(server.hostname))) {
    this.#server = server;
    this.#fetch = fetch;
  }

  /** Whether the id of a client is meant to be a URL. */
  static has(id: string): boolean {
    return /^https?:/i.test(id);
  }

  /**
   * Whether no limit applies: the document was fetched a short time ago, or is one of the few that are known
   * here. A flood of other documents does not keep these clients out.
   */
  isUnlimited(id: string): boolean {
    return this.#isFresh(id) || Object.hasOwn(knownDocuments, id);
  }

  #isFresh(id: string): boolean {
    return (this.#entries.get(id)?.until ?? 0) > Date.now();
  }

  /** The client with this URL. Throws if the URL is not permitted, or has no document of a client. */
  async find(id: string): Promise<Client> {
    const known = this.#entries.get(id);
    if (known && this.#isFresh(id)) return known.client;
    const url = this.#permitted(id);
    if (this.#running >= maxFetches && !this.isUnlimited(id))
      throw new Error('Too many documents of clients are being fetched');
    const entry: Entry = { client: this.#load(url), until: Date.now() + freshMs };
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    for (const oldest of [...this.#entries.keys()].slice(0, -maxKnown)) this.#entries.delete(oldest);
    entry.client.catch(() => (entry.until = Date.now() + failedMs));
    return entry.client;
  }

  #permitted(id: string): URL {
    const url = id.length <= maxUrlLength && URL.canParse(id) ? new URL(id) : undefined;
    const [reach, own] = [reachOf(url?.hostname ?? ''), reachOf(this.#server.hostname)];
    const isSecure =
      url?.protocol === 'https:' || (url?.protocol === 'http:' && reach === 'loopback' && own === 'loopback');
    // A URL in another than its normal form could look like one host and lead to another.
    if (
      !url ||
      !isSecure ||
      url.href !== id ||
      url.pathname === '/' ||
      url.username !== '' ||
      url.hash !== ''
    )
      throw new Error(
        `The client_id ${quoted(id, 100)} is not usable; expected an HTTPS URL with a path, in its normal form, without user and fragment`,
      );
    if (isNarrower(reach, own))
      throw new Error(`The client_id ${quoted(id, 100)} is not usable: its address is not ${own}`);
    return url;
  }

  async #load(url: URL): Promise<Client> {
    this.#running++;
    try {
      return clientOf(url, await this.#document(url));
    } finally {
      this.#running--;
    }
  }

  /** The document at the URL or, if that does not give it, the one that is known here. */
  async #document(url: URL): Promise<JsonObject> {
    try {
      return await this.#fetched(url);
    } catch (error) {
      const known = Object.hasOwn(knownDocuments, url.href) ? knownDocuments[url.href] : undefined;
      if (known) return { client_id: url.href, ...known };
      throw error;
    }
  }

  async #fetched(url: URL): Promise<JsonObject> {
    const headers = { accept: 'application/json', 'user-agent': 'mcp-login' };
    const bounds = { signal: AbortSignal.timeout(timeoutMs), maxBytes };
    const { response, json } = await fetchJson(this.#fetch, url, { headers }, bounds).catch(
      (error: unknown) => {
        throw new Error(`Cannot fetch the client_id ${quoted(url.href, 100)}: ${fetchErrorText(error)}`);
      },
    );
    if (response.status === 200 && json) return json;
    throw new Error(
      `The client_id ${quoted(url.href, 100)} answers with HTTP ${response.status} and ${json ? '' : 'no '}JSON object; expected a document of a client`,
    );
  }
}

function clientOf(url: URL, document: JsonObject): Client {
  if (document['client_id'] !== url.href)
    throw new Error(`The document at ${quoted(url.href, 100)} must have its own URL as client_id`);
  const { token_endpoint_auth_method: method, token_endpoint_auth_methods_supported: methods } = document;
  const isPublic =
    method === undefined || method === 'none' || (Array.isArray(methods) && methods.includes('none'));
  if (!isPublic)
    throw new Error(
      `The client ${quoted(url.href, 100)} authenticates itself at the token endpoint; expected "none" among its methods`,
    );
  return { id: url.href, host: url.host, ...parseClientMetadata(document, url.host) };
}
