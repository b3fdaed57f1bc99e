import { createHash, randomBytes } from 'node:crypto';
import { type Decision, login } from './browser.ts';

export const callback = 'https://client.example/callback';

/** The tokens of a response, or its error. */
export interface TokenReply {
  readonly status: number;
  readonly access_token?: string;
  readonly refresh_token?: string;
  readonly scope?: string;
  readonly error?: string;
  readonly error_description?: string;
}

type Fields = { readonly [name: string]: string | undefined };

/** A client that sends what a test wants, as careless and malicious ones do. */
export class OAuthClient {
  readonly origin: string;
  readonly verifier = randomBytes(32).toString('base64url');
  readonly challenge = createHash('sha256').update(this.verifier).digest('base64url');
  readonly redirectUri: string;
  id: string;

  constructor(origin: string, id: string, redirectUri = callback) {
    this.origin = origin;
    this.id = id;
    this.redirectUri = redirectUri;
  }

  static async register(origin: string, redirectUri = callback): Promise<OAuthClient> {
    const { client_id: id } = await register(origin, { client_name: 'Web', redirect_uris: [redirectUri] });
    return new OAuthClient(origin, String(id), redirectUri);
  }

  /** The URL of the page; fields change it, or remove a parameter by undefined. */
  page(fields: Fields = {}): URL {
    const url = new URL('/authorize', this.origin);
    url.search = query({
      response_type: 'code',
      client_id: this.id,
      redirect_uri: this.redirectUri,
      code_challenge: this.challenge,
      code_challenge_method: 'S256',
      state: 'a state',
      ...fields,
    });
    return url;
  }

  /** The code that the client gets when the user agrees. */
  async code(fields?: Fields, decision?: Decision): Promise<string> {
    return (await login(this.page(fields), decision)).searchParams.get('code') ?? '';
  }

  redeem(code: string, fields: Fields = {}): Promise<TokenReply> {
    return this.post('/token', {
      grant_type: 'authorization_code',
      code,
      client_id: this.id,
      redirect_uri: this.redirectUri,
      code_verifier: this.verifier,
      ...fields,
    });
  }

  refresh(token: string | undefined, fields: Fields = {}): Promise<TokenReply> {
    const form = { grant_type: 'refresh_token', refresh_token: token, client_id: this.id };
    return this.post('/token', { ...form, ...fields });
  }

  /** The tokens that the client gets when the user agrees. */
  async tokens(fields?: Fields): Promise<TokenReply> {
    return this.redeem(await this.code(fields));
  }

  async post(path: string, fields: Fields): Promise<TokenReply> {
    const body = new URLSearchParams(query(fields));
    const response = await fetch(new URL(path, this.origin), { method: 'POST', body });
    return { status: response.status, ...((await response.json()) as object) };
  }

  /** The status of a request to the endpoint with an access token. */
  async use(token: string | undefined): Promise<number> {
    return (await request(this.origin, { authorization: `Bearer ${token}` })).status;
  }
}

export async function register(
  origin: string,
  metadata: unknown,
): Promise<{ readonly [name: string]: unknown }> {
  const response = await fetch(new URL('/register', origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  return { status: response.status, ...((await response.json()) as object) };
}

/** A request of the protocol that needs a token. */
export function request(
  origin: string,
  headers: { readonly [name: string]: string },
  path = '/mcp',
): Promise<Response> {
  return fetch(new URL(path, origin), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    }),
  });
}

function query(fields: Fields): string {
  const given = Object.entries(fields).filter((each): each is [string, string] => each[1] !== undefined);
  return new URLSearchParams(given).toString();
}
