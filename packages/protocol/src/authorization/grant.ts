import type { Requests } from './requests/http-requests.ts';
import type { DpopKey } from './keys/dpop.ts';
import type { OAuthClient, PreRegisteredClient } from './client/oauth-client.ts';
import type { Discovery } from './discovery/discover.ts';

/** How access tokens are obtained. */
export type Grant = AuthorizationCodeGrant | ClientCredentialsGrant | EnterpriseGrant | JwtBearerGrant;

/** A user logs in, in a browser: OAuth 2.1, section 4.1, with PKCE. */
export interface AuthorizationCodeGrant {
  readonly type: 'authorization_code';
  /**
   * Where the authorization server sends the user after the login: HTTPS or a loopback address.
   * A function is called once for each login; its signal aborts when the login has ended.
   */
  readonly redirectUri: string | ((signal: AbortSignal) => Promise<string>);
  /** Sends the user to `url` and returns the URL that the authorization server redirects to in the end. */
  readonly redirect: (url: URL, signal: AbortSignal) => Promise<string | URL>;
  /** The client, where it is registered already. Takes precedence over the two below. */
  readonly client?: PreRegisteredClient;
  /** The HTTPS URL of a client id metadata document, used where the authorization server supports such. */
  readonly clientMetadataUrl?: string;
  /** The name for dynamic registration, used where nothing else is possible; defaults to `MCP client`. */
  readonly clientName?: string;
}

/** The client acts for itself: OAuth 2.1, section 4.2. */
export interface ClientCredentialsGrant {
  readonly type: 'client_credentials';
  readonly client: PreRegisteredClient;
}

/**
 * A user of an enterprise's identity provider: token exchange there (RFC 8693), then its
 * assertion (RFC 7523).
 */
export interface EnterpriseGrant {
  readonly type: 'enterprise';
  readonly client: PreRegisteredClient;
  readonly identityProvider: {
    readonly issuer: string;
    readonly client: OAuthClient;
    /** The user's identity assertion, or a function that returns a fresh one. */
    readonly subjectToken: string | (() => Promise<string>);
    /** Defaults to `urn:ietf:params:oauth:token-type:id_token`. */
    readonly subjectTokenType?: string;
  };
}

/** A workload presents the JSON Web Token that its platform issued: RFC 7523, section 2.1. */
export interface JwtBearerGrant {
  readonly type: 'jwt_bearer';
  /** The assertion, or a function that returns one for the issuer. */
  readonly assertion: string | ((audience: { readonly issuer: string }) => Promise<string>);
  readonly client?: PreRegisteredClient;
}

/** The arguments from which a grant obtains a token. */
export interface TokenPurpose {
  readonly requests: Requests;
  readonly discovery: Discovery;
  readonly scopes: readonly string[] | undefined;
  readonly dpopKey: DpopKey | undefined;
}
