/** A token that is not valid here. The message is the reason, without the token. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}
