/** A text has no outline, because it is too large, or because its parse takes too long or too much memory. */
export class OutlineError extends Error {
  override readonly name = 'OutlineError';
}
