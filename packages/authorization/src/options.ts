import { emitWarning, safeWarn } from '@mcp/kit';
import type { Grant } from './grant.ts';
import { type TokenStore, memoryTokenStore } from './store/token-store.ts';

export interface AuthorizationOptions {
  /** How access tokens are obtained. */
  readonly grant: Grant;
  /**
   * Keeps tokens and registrations. By default, they are kept in memory, separately for each call of
   * `withOAuth`.
   */
  readonly store?: TokenStore;
  /**
   * Whether tokens are bound to a key (DPoP, RFC 9449). With `true`, a token that is not bound to a key is
   * refused; with `false`, no key-bound tokens are requested. By default the server decides.
   */
  readonly dpop?: boolean;
  /**
   * Origins to which the rules for URLs do not apply: they may use HTTP without TLS, and may be in a private
   * network even if the MCP server is public. Only needed for development.
   */
  readonly trustedOrigins?: readonly string[];
  /** The timeout of one login in milliseconds; defaults to ten minutes. */
  readonly loginTimeoutMs?: number;
  /**
   * Called with a message about each error that does not make a call fail, such as an error of the store. By
   * default, `process.emitWarning` is called with the message.
   */
  readonly onWarning?: (message: string) => void;
}

export type CompleteOptions = Required<Omit<AuthorizationOptions, 'dpop'>> &
  Pick<AuthorizationOptions, 'dpop'>;

const defaultLoginTimeoutMs = 600_000;

/**
 * Adds the defaults to the options. Throws if `clientMetadataUrl` or an item of `trustedOrigins` is invalid.
 */
export function completeOptions(options: AuthorizationOptions): CompleteOptions {
  const { grant, trustedOrigins = [] } = options;
  if (grant.type === 'authorization_code' && grant.clientMetadataUrl !== undefined)
    checkClientMetadataUrl(grant.clientMetadataUrl);
  for (const origin of trustedOrigins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      throw new TypeError(
        `Invalid trustedOrigins: "${origin}"; expected an origin such as "http://mcp:3000"`,
      );
  }
  return {
    store: memoryTokenStore(),
    loginTimeoutMs: defaultLoginTimeoutMs,
    ...options,
    onWarning: options.onWarning ? safeWarn(options.onWarning) : emitWarning,
    trustedOrigins,
  };
}

/** Throws unless the URL follows the rules of section 3 of OAuth Client ID Metadata Document. */
function checkClientMetadataUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url && url.hash === '' && url.username === '' && url.password === '';
  if (url?.protocol !== 'https:' || url.pathname === '/' || !plain)
    throw new TypeError(`Invalid clientMetadataUrl: "${text}"; expected an HTTPS URL with a path`);
}
