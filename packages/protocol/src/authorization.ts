export { oauth } from './authorization/authorized-fetch.ts';
export type { AuthorizationOptions } from './authorization/options.ts';
export { AuthorizationError, type AuthorizationStep } from './authorization/authorization-error.ts';
export type {
  AuthorizationCodeGrant,
  ClientCredentialsGrant,
  EnterpriseGrant,
  Grant,
  JwtBearerGrant,
} from './authorization/grant.ts';
export type {
  ClientAuthenticationMethod,
  OAuthClient,
  PreRegisteredClient,
} from './authorization/client/oauth-client.ts';
export type { SigningAlgorithm, SigningKey } from './authorization/keys/jwt.ts';
export {
  type AuthorizationStore,
  memoryStore,
  type StoreKey,
  storeKeyText,
} from './authorization/store/store.ts';
export {
  loopbackRedirect,
  type LoopbackRedirect,
  type LoopbackRedirectOptions,
} from './authorization/login/loopback-redirect.ts';
