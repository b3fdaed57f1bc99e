import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Lets one browser in: the token of the URL is exchanged once for a cookie, which each request needs. */
export class Guard {
  /** The token for the URL. */
  readonly token = newSecret();
  readonly #session = newSecret();
  #isUsed = false;

  /** The value of `set-cookie` for the token; undefined for another one, and the second time. */
  cookieFor(token: string, port: number): string | undefined {
    if (this.#isUsed || !isSame(token, this.token)) return undefined;
    this.#isUsed = true;
    return `${cookieName(port)}=${this.#session}; HttpOnly; SameSite=Strict; Path=/`;
  }

  /**
   * What is wrong with a request; undefined for one that the page makes. A page of another site has another
   * `origin`; a name that an attacker points to the loopback is another `host`.
   */
  problemOf({ headers, method }: IncomingMessage, port: number): string | undefined {
    const { host = '', origin, cookie = '' } = headers;
    // On `localhost` are the views, which must not have the origin of the page.
    if (host !== `127.0.0.1:${port}`) return `The page is at http://127.0.0.1:${port}/`;
    if (origin !== undefined && origin !== `http://${host}`) return 'The origin is another page';
    if (method === 'POST' && origin === undefined) return 'The origin is missing';
    const site = headers['sec-fetch-site'];
    // A link to the page, such as that of the terminal, comes from nowhere.
    if (site !== undefined && site !== 'same-origin' && !(site === 'none' && method === 'GET'))
      return 'The request comes from another site';
    const pairs = cookie.split(/;\s*/).map((pair) => pair.split('='));
    const given = pairs.find(([name]) => name === cookieName(port))?.[1] ?? '';
    return isSame(given, this.#session)
      ? undefined
      : 'The page was not opened with the URL that mcp inspect printed';
  }
}

/** Browsers send a cookie to all ports of a host. */
function cookieName(port: number): string {
  return `mcp-inspect-${port}`;
}

function newSecret(): string {
  return randomBytes(24).toString('base64url');
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
