// `withOAuth`, the layer around `fetch`, and the errors that it throws.
export { withOAuth } from './with-oauth.ts';
export type { AuthorizationOptions } from './options.ts';
export { AuthorizationError, type AuthorizationStep } from './authorization-error.ts';

// Types of the options: how tokens are obtained, and for which client.
export type * from './grant.ts';
export type { SigningAlgorithm, SigningKey } from './tokens/signing-key.ts';
export {
  loopbackRedirect,
  type LoopbackRedirect,
  type LoopbackRedirectOptions,
} from './login/loopback-redirect.ts';

// Stores for tokens.
export { memoryTokenStore, type StoreKey, storeKeyText, type TokenStore } from './store/token-store.ts';
