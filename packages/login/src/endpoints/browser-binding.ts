import { createHash, randomBytes } from 'node:crypto';
import type { RouteRequest } from '@mcp/protocol/http';
import { isSame } from '../grants/tokens.ts';

/**
 * Binds the form of a page to the browser that got the page, so that no other site can send it: the browser
 * has a random cookie, and the form its hash.
 */
export class BrowserBinding {
  readonly #name: string;
  readonly #attributes: string;
  readonly #origin: string;

  constructor(issuer: string) {
    const isSecure = issuer.startsWith('https:');
    // With this prefix, no other host of the domain can set the cookie.
    this.#name = isSecure ? '__Host-mcp-login' : 'mcp-login';
    this.#attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=3600${isSecure ? '; Secure' : ''}`;
    this.#origin = issuer;
  }

  /** The header that sets the cookie, and the value for the form. A browser keeps the cookie that it has. */
  bind(request: RouteRequest): { readonly cookie: string; readonly proof: string } {
    const value = this.#cookieOf(request) ?? randomBytes(32).toString('base64url');
    return { cookie: `${this.#name}=${value}; ${this.#attributes}`, proof: proofOf(value) };
  }

  /** Whether the browser that sends the form has got it from this server. */
  isBound(request: RouteRequest, proof: string): boolean {
    const [cookie, origin] = [this.#cookieOf(request), request.header('origin')];
    const site = request.header('sec-fetch-site') ?? 'same-origin';
    const isOwn = (origin === undefined || origin === this.#origin) && site === 'same-origin';
    return isOwn && cookie !== undefined && isSame(proofOf(cookie), proof);
  }

  #cookieOf(request: RouteRequest): string | undefined {
    const cookies = (request.header('cookie') ?? '').split(/; */);
    const value = cookies.find((each) => each.startsWith(`${this.#name}=`))?.slice(this.#name.length + 1);
    return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
  }
}

function proofOf(cookie: string): string {
  return createHash('sha256').update(cookie).digest('base64url');
}
