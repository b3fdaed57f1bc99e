import { safeWarn } from '../jsonrpc/safe-warn.ts';
import type { Grant } from './grant.ts';
import { type AuthorizationStore, memoryStore } from './store/store.ts';

/** Options of `oauth`. */
export interface AuthorizationOptions {
  /** How access tokens are obtained. */
  readonly grant: Grant;
  /** Keeps tokens and registrations; defaults to memory, for as long as the layer is in use. */
  readonly store?: AuthorizationStore;
  /**
   * Whether tokens are bound to a key (RFC 9449): `true` accepts no others, `false` requests none.
   * By default the server decides.
   */
  readonly dpop?: boolean;
  /**
   * Origins that may be reached without TLS or in a private network, although the server is neither on this
   * machine nor in that network. Needed for development only.
   */
  readonly trustedOrigins?: readonly string[];
  /** How long one login may take, in milliseconds; defaults to ten minutes. */
  readonly loginTimeoutMs?: number;
  /**
   * Receives errors that do not fail a call, such as a store that cannot be written;
   * defaults to a process warning.
   */
  readonly warn?: (message: string) => void;
}

export type CompleteOptions = Required<Omit<AuthorizationOptions, 'dpop'>> &
  Pick<AuthorizationOptions, 'dpop'>;

const defaultLoginTimeoutMs = 600_000;

/** The options with their defaults. Throws when a URL in them cannot be used. */
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
    store: memoryStore(),
    loginTimeoutMs: defaultLoginTimeoutMs,
    ...options,
    warn: safeWarn(options.warn ?? ((message) => process.emitWarning(message))),
    trustedOrigins,
  };
}

/** OAuth Client ID Metadata Document, section 3. */
function checkClientMetadataUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url && url.hash === '' && url.username === '' && url.password === '';
  if (url?.protocol !== 'https:' || url.pathname === '/' || !plain)
    throw new TypeError(`Invalid clientMetadataUrl: "${text}"; expected an HTTPS URL with a path`);
}
