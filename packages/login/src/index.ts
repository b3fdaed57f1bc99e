// The authorization server, for the option `authorization` of an endpoint.
export { passphraseLogin, type PassphraseLogin } from './passphrase-login.ts';
export type { PassphraseLoginOptions } from './options.ts';
export type { LoginCaller } from './login-caller.ts';
