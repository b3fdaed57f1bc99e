import type { SigningKey } from '../keys/jwt.ts';

export type ClientAuthenticationMethod =
  | 'none'
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'private_key_jwt';

/** A client that is registered with an authorization server. */
export interface OAuthClient {
  readonly id: string;
  readonly secret?: string;
  /** Signs the client's assertions: `private_key_jwt` of RFC 7523. */
  readonly privateKey?: SigningKey;
  /** Defaults to the method that fits the credentials and the authorization server's metadata. */
  readonly method?: ClientAuthenticationMethod;
}

/** A client that was registered with an authorization server beforehand. */
export interface PreRegisteredClient extends OAuthClient {
  /**
   * The authorization server that issued the credentials. They are not sent to any other one.
   * Defaults to the one that the MCP server names first, which is remembered.
   */
  readonly issuer?: string;
}
