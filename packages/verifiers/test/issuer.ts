import { HttpServer, type Route } from '@mcp/test-kit/http-server';
import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export const audience = 'https://mcp.example.com/mcp';

/** A key of an issuer: the private one signs, the public one is published. */
export interface IssuerKey {
  readonly privateKey: CryptoKey;
  readonly published: JWK;
  readonly alg: string;
}

export async function makeKey(kid: string | undefined, alg = 'ES256'): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return {
    privateKey,
    published: { ...(await exportJWK(publicKey)), ...(kid !== undefined && { kid }), alg, use: 'sig' },
    alg,
  };
}

type Claims = { readonly [name: string]: unknown };

/** An authorization server on the loopback with a key set, which signs any token that a test wants. */
export class Issuer implements AsyncDisposable {
  http: HttpServer;
  readonly issuer: string;
  /** The published keys; tests change them. */
  keys: JWK[];
  key: IssuerKey;
  readonly #routes: { [path: string]: Route };

  private constructor(http: HttpServer, key: IssuerKey) {
    this.http = http;
    this.issuer = http.origin;
    this.key = key;
    this.keys = [key.published];
    this.#routes = http.routes;
  }

  static async start(key?: IssuerKey): Promise<Issuer> {
    const http = await HttpServer.start();
    const started = new Issuer(http, key ?? (await makeKey('one')));
    http.routes['/keys'] = () => ({ json: { keys: started.keys } });
    http.routes['/.well-known/oauth-authorization-server'] = () => ({
      json: { issuer: started.issuer, jwks_uri: `${started.issuer}/keys` },
    });
    return started;
  }

  get options() {
    return { issuer: this.issuer, audience, jwksUri: `${this.issuer}/keys` };
  }

  /** How often the keys were fetched. */
  get fetches(): number {
    return this.http.at('/keys').length;
  }

  /** Replaces the keys by a new one. */
  async rotate(kid: string): Promise<void> {
    this.key = await makeKey(kid);
    this.keys = [this.key.published];
  }

  /** Makes the key set answer in another way. */
  answer(route: Route): void {
    this.#routes['/keys'] = route;
  }

  /** Ends the server; `revive` starts it again at the same address. */
  async die(): Promise<void> {
    await this.http[Symbol.asyncDispose]();
  }

  async revive(): Promise<void> {
    this.http = await HttpServer.start(this.#routes, Number(new URL(this.issuer).port));
  }

  /** Signs a valid token, changed by claims (undefined removes one), header and key. */
  async token(claims: Claims = {}, header: Claims = {}, key: IssuerKey = this.key): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const own = {
      iss: this.issuer,
      aud: audience,
      sub: 'ada',
      scope: 'notes:read',
      iat: now,
      exp: now + 86_400,
    };
    const { kid } = key.published;
    return new SignJWT({ ...own, ...claims })
      .setProtectedHeader({ alg: key.alg, typ: 'at+jwt', ...(kid !== undefined && { kid }), ...header })
      .sign(key.privateKey);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.die();
  }
}

export async function thumbprintOf({ published }: IssuerKey): Promise<string> {
  return calculateJwkThumbprint(published);
}
