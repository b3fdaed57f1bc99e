import type { AuthorizationServer, IssuedToken } from './authorization-server.ts';
import { HttpServer, type Received, type Reply } from '@mcp/test-kit/http-server';

/**
 * A server that answers every request at `/mcp` with `{}`, where the request has a token of its
 * authorization servers.
 */
export class ProtectedServer implements AsyncDisposable {
  readonly http: HttpServer;
  readonly url: string;
  readonly metadataUrl: string;
  /** Published at the well-known URI of the path; tests change it. */
  metadata: { [name: string]: unknown };
  /** Parameters of the challenge beside the URL of the metadata. */
  challenge: { [name: string]: string } = {};
  /** The scopes that a request needs. */
  scopesFor: (request: Received) => readonly string[] = () => [];
  /** Tokens that are refused although their authorization server has issued them. */
  readonly revoked = new Set<string>();
  readonly #issuers: readonly AuthorizationServer[];

  private constructor(http: HttpServer, issuers: readonly AuthorizationServer[]) {
    this.http = http;
    this.url = `${http.origin}/mcp`;
    this.metadataUrl = `${http.origin}/.well-known/oauth-protected-resource/mcp`;
    this.metadata = { resource: this.url, authorization_servers: issuers.map(({ issuer }) => issuer) };
    this.#issuers = issuers;
  }

  static async start(...issuers: readonly AuthorizationServer[]): Promise<ProtectedServer> {
    const http = await HttpServer.start();
    const started = new ProtectedServer(http, issuers);
    http.routes['/.well-known/oauth-protected-resource/mcp'] = () => ({ json: started.metadata });
    http.routes['/mcp'] = (request) => started.#answer(request);
    return started;
  }

  /** The tokens that requests came with, in their order; undefined for one without. */
  get presented(): (string | undefined)[] {
    return this.http.at('/mcp').map(({ headers }) => headers.authorization?.replace(/^\w+ /, ''));
  }

  revokeAll(): void {
    for (const { tokens } of this.#issuers) for (const token of tokens.keys()) this.revoked.add(token);
  }

  refuse(status: number, parameters: { readonly [name: string]: string }): Reply {
    const all = { resource_metadata: this.metadataUrl, ...this.challenge, ...parameters };
    const text = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
    return { status, headers: { 'www-authenticate': `Bearer ${text.join(', ')}` } };
  }

  #answer(request: Received): Reply {
    const given = request.headers.authorization?.replace(/^\w+ /, '') ?? '';
    const token = this.#find(given);
    if (!token) return this.refuse(401, given === '' ? {} : { error: 'invalid_token' });
    const missing = this.scopesFor(request).filter((scope) => !token.scopes.includes(scope));
    if (missing.length > 0)
      return this.refuse(403, { error: 'insufficient_scope', scope: missing.join(' ') });
    return { json: {} };
  }

  #find(given: string): IssuedToken | undefined {
    if (this.revoked.has(given)) return undefined;
    return this.#issuers.map(({ tokens }) => tokens.get(given)).find((token) => token !== undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.http[Symbol.asyncDispose]();
  }
}
