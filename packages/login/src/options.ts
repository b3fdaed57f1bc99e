import { isAbsolute } from 'node:path';
import { quoted } from '@mcp/kit';
import { reachOf } from '@mcp/kit/node';
import type { Fetch } from '@mcp/protocol/client';

/** Options of `passphraseLogin`. */
export interface PassphraseLoginOptions {
  /** What the user types to let a client in: 12 to 1,024 characters. */
  readonly passphrase: string;
  /**
   * The URL by which clients know the server, such as `https://mcp.example.com/mcp`: the audience of tokens.
   * Its origin is the issuer. HTTPS, or HTTP on the loopback.
   */
  readonly url: string;
  /**
   * The absolute path of the file for registered clients and hashes of tokens. Several processes with the
   * same `url` and the same passphrase may share it; a file of another `url` is refused. The file and its
   * directory are created if necessary, for the user of the process alone.
   */
  readonly file: string;
  /** The scopes that clients may get. Default: none. */
  readonly scopes?: readonly string[];
  /** The `principal` of the caller. Default: `user`. */
  readonly principal?: string;
  /** The name of the server on the page for the user. Default: the host of `url`. */
  readonly name?: string;
  /**
   * Fetches the metadata documents of clients. Default: a `fetch` that connects to no address of a narrower
   * reach than that of `url`, such as a private address for a public server.
   */
  readonly fetch?: Fetch;
  /**
   * Called with a line about each event that an operator should see: access that was granted, a wrong
   * passphrase, a token that was used again. Text of clients in it has its control characters escaped.
   */
  readonly onEvent?: (message: string) => void;
}

const minPassphrase = 12;
const maxPassphrase = 1_024;
/** RFC 6749, section 3.3. */
const scopeSyntax = /^[\u0021\u0023-\u005B\u005D-\u007E]+$/;

/** The URL of the options. Throws if an option is not valid. */
export function checkedUrl(options: PassphraseLoginOptions): URL {
  const { passphrase, file, scopes = [], principal = 'user' } = options;
  if (passphrase.length < minPassphrase || passphrase.length > maxPassphrase)
    throw new Error(
      `Invalid passphrase: it has ${passphrase.length} characters; expected ${minPassphrase} to ${maxPassphrase}`,
    );
  if (!isAbsolute(file)) throw new Error(`Invalid file: ${quoted(file)}; expected an absolute path`);
  if (principal === '') throw new Error('Invalid principal: it is empty; expected the name of the user');
  const wrong = scopes.find((scope) => !scopeSyntax.test(scope));
  if (wrong !== undefined)
    throw new Error(`Invalid scope: ${quoted(wrong)}; expected characters of ASCII without space, " and \\`);
  const url = URL.canParse(options.url) ? new URL(options.url) : undefined;
  const isSecure =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && reachOf(url.hostname) === 'loopback');
  if (!url || !isSecure || /[?#]/.test(options.url) || url.username !== '' || url.password !== '')
    throw new Error(
      `Invalid url: ${quoted(options.url)}; expected https://host/path, or http:// on the loopback, without query, fragment and user`,
    );
  return url;
}
