import type { SigningKey } from './tokens/signing-key.ts';

/** How access tokens are obtained. */
export type Grant = AuthorizationCodeGrant | ClientCredentialsGrant | EnterpriseGrant | JwtBearerGrant;

/** A user logs in with a browser: OAuth 2.1, section 4.1, with PKCE. */
export interface AuthorizationCodeGrant {
  readonly type: 'authorization_code';
  /**
   * Where the authorization server sends the user after the login: an HTTPS URL or a loopback address. If
   * this is a function, it is called once for each login, with a signal that aborts when the login has ended.
   */
  readonly redirectUri: string | ((signal: AbortSignal) => Promise<string>);
  /**
   * Sends the user to `url`. Returns the whole URL of the redirect after the login, with its query (`code`
   * and `state`).
   */
  readonly redirect: (url: URL, signal: AbortSignal) => Promise<string | URL>;
  /** The client, if it is registered already. Takes precedence over `clientMetadataUrl` and `clientName`. */
  readonly client?: PreRegisteredClient;
  /** The HTTPS URL of a client id metadata document, used if the authorization server supports it. */
  readonly clientMetadataUrl?: string;
  /**
   * The client's name for dynamic registration, which is used only if there is neither `client` nor a
   * supported `clientMetadataUrl`; defaults to `MCP client`.
   */
  readonly clientName?: string;
}

/** The client requests access for itself, without a user: OAuth 2.1, section 4.2. */
export interface ClientCredentialsGrant {
  readonly type: 'client_credentials';
  readonly client: PreRegisteredClient;
}

/**
 * The user has logged in at the identity provider of an enterprise. The identity provider exchanges the
 * user's token (RFC 8693) for an assertion that the authorization server accepts (RFC 7523).
 */
export interface EnterpriseGrant {
  readonly type: 'enterprise';
  readonly client: PreRegisteredClient;
  readonly identityProvider: {
    readonly issuer: string;
    readonly client: OAuthClient;
    /** The user's identity assertion, or a function that returns a fresh assertion. */
    readonly subjectToken: string | (() => Promise<string>);
    /** The type of `subjectToken`; defaults to `urn:ietf:params:oauth:token-type:id_token`. */
    readonly subjectTokenType?: string;
  };
}

/** A workload presents the JSON Web Token that its platform issued: RFC 7523, section 2.1. */
export interface JwtBearerGrant {
  readonly type: 'jwt_bearer';
  /** The assertion, or a function that returns an assertion for the issuer. */
  readonly assertion: string | ((audience: { readonly issuer: string }) => Promise<string>);
  readonly client?: PreRegisteredClient;
}

export type ClientAuthenticationMethod =
  | 'none'
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'private_key_jwt';

/** A client that is registered with an authorization server. */
export interface OAuthClient {
  readonly id: string;
  readonly secret?: string;
  /** The key that signs the client's assertions for the method `private_key_jwt` (RFC 7523). */
  readonly privateKey?: SigningKey;
  /**
   * How the client authenticates itself. By default, a method that fits its credentials and, for a secret,
   * that the authorization server supports.
   */
  readonly method?: ClientAuthenticationMethod;
}

/** A client that was registered with an authorization server beforehand. */
export interface PreRegisteredClient extends OAuthClient {
  /**
   * The authorization server that issued the credentials, which are sent to no other server. Defaults to the
   * authorization server that the MCP server names first; that choice is stored for later runs.
   */
  readonly issuer?: string;
}
