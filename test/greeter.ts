import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { defineServer, defineTool } from '@mcp/protocol';
import { httpHandler } from '@mcp/protocol/http';

export interface GreeterOptions {
  /** How many connections must have sent a spent access token before a new one is given. */
  readonly refusalsBeforeRefresh?: number;
}

/**
 * A server and its authorization server on one origin, which accepts any user at once.
 * A refresh token is valid once; its second use ends the login, as OAuth 2.1, section 4.3.1, says.
 */
export class Greeter implements AsyncDisposable {
  /** Requests with a refresh token, and those of them whose token was spent. */
  refreshes = 0;
  spent = 0;
  readonly #options: GreeterOptions;
  readonly #accessTokens = new Set<string>();
  #refreshToken = '';
  readonly #refused = new Set<Socket>();
  readonly #allRefused = Promise.withResolvers<void>();
  readonly #http = createServer((request, response) => void this.#answer(request, response));
  #handler: ReturnType<typeof httpHandler> | undefined;

  private constructor(options: GreeterOptions) {
    this.#options = options;
  }

  static async start(options: GreeterOptions = {}): Promise<Greeter> {
    const greeter = new Greeter(options);
    await new Promise<void>((resolve) => greeter.#http.listen(0, '127.0.0.1', resolve));
    const greet = defineTool({ name: 'greet', description: 'Greets.', run: () => 'Hello' });
    greeter.#handler = httpHandler(defineServer({ name: 'greeter', version: '1.0.0', tools: [greet] }), {
      authorization: {
        verify: (token) =>
          Promise.resolve(greeter.#accessTokens.has(token) ? { principal: 'alice', scopes: [] } : undefined),
        metadata: { resource: greeter.url, authorizationServers: [greeter.origin] },
      },
    });
    return greeter;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  /** Ends the lifetime of all access tokens. */
  expire(): void {
    this.#accessTokens.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handler?.close();
    this.#http.closeAllConnections();
    this.#http.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { origin } = this;
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    if (pathname === '/.well-known/oauth-authorization-server')
      return send(response, 200, metadataOf(origin));
    if (pathname === '/register') {
      const metadata = JSON.parse(await text(request)) as object;
      return send(response, 201, { ...metadata, client_id: 'c' });
    }
    if (pathname === '/token') return this.#token(new URLSearchParams(await text(request)), response);
    if (pathname === '/authorize') {
      const redirect = new URL(searchParams.get('redirect_uri')!);
      redirect.searchParams.set('code', 'code');
      redirect.searchParams.set('state', searchParams.get('state')!);
      redirect.searchParams.set('iss', origin);
      response.writeHead(302, { location: redirect.href }).end();
      return;
    }
    const { authorization } = request.headers;
    if (authorization && !this.#accessTokens.has(authorization.replace('Bearer ', '')))
      this.#refuse(request.socket);
    this.#handler!.node(request, response);
  }

  #refuse(socket: Socket): void {
    this.#refused.add(socket);
    if (this.#refused.size >= (this.#options.refusalsBeforeRefresh ?? 0)) this.#allRefused.resolve();
  }

  async #token(body: URLSearchParams, response: ServerResponse): Promise<void> {
    const refreshToken = body.get('refresh_token');
    if (refreshToken !== null) {
      this.refreshes++;
      if (refreshToken !== this.#refreshToken) {
        this.spent++;
        this.#accessTokens.clear();
        this.#refreshToken = '';
        return send(response, 400, { error: 'invalid_grant' });
      }
    }
    const accessToken = `access-${randomUUID()}`;
    this.#accessTokens.add(accessToken);
    this.#refreshToken = `refresh-${randomUUID()}`;
    const tokens = { access_token: accessToken, refresh_token: this.#refreshToken };
    if (refreshToken !== null) await this.#allRefused.promise;
    send(response, 200, { ...tokens, token_type: 'Bearer', expires_in: 3600 });
  }
}

function metadataOf(origin: string): object {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}

function send(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
