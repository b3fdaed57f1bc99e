/** Why a text has no outline: it is too large, or its parse takes too long or too much memory. */
export class OutlineError extends Error {
  override readonly name = 'OutlineError';
}
