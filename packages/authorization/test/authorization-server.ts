import { createHash, randomUUID } from 'node:crypto';
import { formOf, HttpServer, type Received, type Reply } from '@mcp/test-kit/http-server';

/** An access token as its server knows it. */
export interface IssuedToken {
  readonly clientId: string;
  readonly resource: string;
  readonly scopes: readonly string[];
}

interface PendingCode {
  readonly request: { readonly [name: string]: string };
}

/**
 * An authorization server on the loopback that logs every user in immediately, and is strict otherwise:
 * PKCE, redirect URIs, registered clients, single use of codes and refresh tokens.
 */
export class AuthorizationServer implements AsyncDisposable {
  readonly http: HttpServer;
  readonly issuer: string;
  /** Published at the well-known URI; tests change it. */
  metadata: { [name: string]: unknown };
  /** How long tokens live, in seconds. */
  lifetime: number | undefined = 3600;
  /** Scopes that are never granted. */
  readonly withheld = new Set<string>();
  /** Parameters to add to the authorization response, or to remove by `undefined`. */
  responseParameters: { [name: string]: string | undefined } = {};
  readonly tokens = new Map<string, IssuedToken>();
  readonly #clients = new Map<
    string,
    { readonly secret: string | undefined; readonly redirectUri?: string }
  >();
  readonly #codes = new Map<string, PendingCode>();
  readonly #refreshTokens = new Map<string, IssuedToken>();

  private constructor(http: HttpServer, path: string) {
    this.http = http;
    this.issuer = `${http.origin}${path}`;
    this.metadata = {
      issuer: this.issuer,
      authorization_endpoint: `${http.origin}/authorize`,
      token_endpoint: `${http.origin}/token`,
      registration_endpoint: `${http.origin}/register`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: [
        'none',
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
      ],
      authorization_response_iss_parameter_supported: true,
    };
  }

  static async start(path = ''): Promise<AuthorizationServer> {
    const http = await HttpServer.start();
    const started = new AuthorizationServer(http, path);
    http.routes[`/.well-known/oauth-authorization-server${path}`] = () => ({ json: started.metadata });
    http.routes['/authorize'] = (request) => started.#authorize(request);
    http.routes['/token'] = (request) => started.#token(request);
    http.routes['/register'] = (request) => started.#register(request);
    return started;
  }

  addClient(id: string, secret?: string): void {
    this.#clients.set(id, { secret });
  }

  forgetClients(): void {
    this.#clients.clear();
  }

  /** Refuses all refresh tokens from now on. */
  forgetRefreshTokens(): void {
    this.#refreshTokens.clear();
  }

  get logins(): { readonly [name: string]: string }[] {
    return this.http.at('/authorize').map(({ url }) => Object.fromEntries(url.searchParams));
  }

  /** The forms of the token requests, those of one grant where it is given. */
  tokenRequests(grant?: string): { readonly [name: string]: string }[] {
    const forms = this.http.at('/token').map(formOf);
    return grant === undefined ? forms : forms.filter(({ grant_type }) => grant_type === grant);
  }

  issue(token: IssuedToken, withRefreshToken = true): Reply {
    const [accessToken, refreshToken] = [randomUUID(), randomUUID()];
    this.tokens.set(accessToken, token);
    if (withRefreshToken) this.#refreshTokens.set(refreshToken, token);
    return {
      json: {
        access_token: accessToken,
        token_type: 'Bearer',
        expires_in: this.lifetime,
        scope: token.scopes.join(' '),
        ...(withRefreshToken && { refresh_token: refreshToken }),
      },
    };
  }

  #authorize({ url }: Received): Reply {
    const request = Object.fromEntries(url.searchParams);
    const client = this.#clients.get(request['client_id'] ?? '');
    if (!client && !request['client_id']?.startsWith('https:'))
      return { status: 400, body: 'Unknown client' };
    const redirect = new URL(request['redirect_uri'] ?? '');
    if (client?.redirectUri !== undefined && client.redirectUri !== redirect.href)
      return { status: 400, body: 'Unknown redirect URI' };
    const code = randomUUID();
    this.#codes.set(code, { request });
    const parameters = { code, state: request['state'], iss: this.issuer, ...this.responseParameters };
    for (const [name, value] of Object.entries(parameters))
      if (value !== undefined) redirect.searchParams.append(name, value);
    return { status: 302, headers: { location: redirect.href } };
  }

  #token(received: Received): Reply {
    const form = formOf(received);
    const refuse = (error: string): Reply => ({
      status: error === 'invalid_client' ? 401 : 400,
      json: { error },
    });
    const clientId = this.#authenticate(received);
    if (clientId === undefined) return refuse('invalid_client');
    if (form['grant_type'] === 'refresh_token') {
      const token = this.#refreshTokens.get(form['refresh_token'] ?? '');
      this.#refreshTokens.delete(form['refresh_token'] ?? '');
      if (!token || token.clientId !== clientId || token.resource !== form['resource'])
        return refuse('invalid_grant');
      return this.issue(token);
    }
    if (form['grant_type'] === 'client_credentials') {
      const scopes = this.#granted(form['scope']);
      return this.issue({ clientId, resource: form['resource'] ?? '', scopes }, false);
    }
    const { request } = this.#codes.get(form['code'] ?? '') ?? {};
    this.#codes.delete(form['code'] ?? '');
    const challenge = createHash('sha256')
      .update(form['code_verifier'] ?? '')
      .digest('base64url');
    const fits =
      request?.['client_id'] === clientId &&
      request['redirect_uri'] === form['redirect_uri'] &&
      request['resource'] === form['resource'] &&
      request['code_challenge'] === challenge &&
      request['code_challenge_method'] === 'S256';
    if (form['grant_type'] !== 'authorization_code' || !fits) return refuse('invalid_grant');
    return this.issue({
      clientId,
      resource: form['resource'] ?? '',
      scopes: this.#granted(request['scope']),
    });
  }

  #granted(scope = ''): string[] {
    return scope.split(' ').filter((each) => each !== '' && !this.withheld.has(each));
  }

  #authenticate(received: Received): string | undefined {
    const form = formOf(received);
    const [scheme, credentials = ''] = (received.headers.authorization ?? '').split(' ');
    const basic = Buffer.from(credentials, 'base64').toString().split(':').map(decodeURIComponent);
    const [id = '', secret] = scheme === 'Basic' ? basic : [form['client_id'], form['client_secret']];
    if (form['client_assertion'] !== undefined) {
      const [, claims = ''] = form['client_assertion'].split('.');
      return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }).sub;
    }
    if (id.startsWith('https:')) return id;
    const client = this.#clients.get(id);
    return client && client.secret === secret ? id : undefined;
  }

  #register({ body }: Received): Reply {
    const request = JSON.parse(body) as { redirect_uris: [string]; token_endpoint_auth_method: string };
    const { token_endpoint_auth_method: method } = request;
    const id = `registered-${this.#clients.size + 1}`;
    const secret = method === 'none' ? undefined : randomUUID();
    this.#clients.set(id, { secret, redirectUri: request.redirect_uris[0] });
    return {
      status: 201,
      json: { ...request, client_id: id, ...(secret !== undefined && { client_secret: secret }) },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.http[Symbol.asyncDispose]();
  }
}
